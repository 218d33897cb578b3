// What misuse_device_test.cu does wrong on a device for misuse_device_test.cpp to judge. The program is
// gather<sum>(edge<w> * src<h>) on a ring of `ring_vertices` vertices, whose operands are such that every output and
// every gradient of h is 3.
#pragma once

#include <string>
#include <vector>

namespace edgewise::testing {

inline constexpr int ring_vertices = 4096;

/// What is wrong with results; empty where nothing is.
using fault = std::string;

/// Conversion, plan, forward and backward while the runtime's last error is one that the caller left, which must still
/// be there afterwards.
fault run_with_error_of_caller();
/// That run after an allocation that failed in a plan, which must leave no error.
fault run_after_out_of_memory();

/// Messages, by what is in host memory: graph, w, out, grad_out, grad of h, edges of a conversion, types of rows. Empty
/// where the device reads all memory of the host.
std::vector<std::string> refusals_of_host_memory();
/// A run whose operands are in managed and in pinned memory.
fault run_on_managed_and_pinned_memory();

/// Plan, state and groupings are destroyed while a pass waits in another stream; then their memory is asked for again.
fault destroy_while_running();
/// The stream is destroyed before the plan, the state and the groupings.
fault destroy_stream_first();

/// The message of a plan that is made in a capture, which then goes on and is replayed.
struct captured_plan {
  std::string message;
  fault replay;
};
captured_plan plan_in_a_capture();

/// The message of backward with a state filled before a rebuild; then forward fills it again.
struct stale_state {
  std::string message;
  fault afterwards;
};
stale_state backward_after_rebuild();

/// Messages of forward, backward, make_saved and rebuild of a plan that was moved from, and of backward with a state
/// that was.
std::vector<std::string> refusals_of_what_was_moved();

/// Rows of so many channels, over one edge and its virtual reverse.
fault run_wide_rows(int channels);

}  // namespace edgewise::testing
