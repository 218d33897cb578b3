#include "misuse_device_test.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;
using Catch::Contains;

TEST_CASE("misuse on a device: an error that the caller left is neither blamed on a call nor cleared", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(run_with_error_of_caller() == "");
}

TEST_CASE("misuse on a device: an allocation that fails leaves nothing behind", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(run_after_out_of_memory() == "");
}

TEST_CASE("misuse on a device: memory of the host is refused by name", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const messages = refusals_of_host_memory();
  if (messages.empty()) return;  // such a device reads it
  REQUIRE(messages.size() == 7);
  CHECK_THAT(messages[0], Contains("graph: csr.offsets: is memory of the host"));
  CHECK_THAT(messages[1], Contains("edge<w>: is memory of the host"));
  CHECK_THAT(messages[2], Contains("out: is memory of the host"));
  CHECK_THAT(messages[3], Contains("grad_out: is memory of the host"));
  CHECK_THAT(messages[4], Contains("grad of src<h>: is memory of the host"));
  CHECK_THAT(messages[5], Contains("to_csr: sources: is memory of the host"));
  CHECK_THAT(messages[6], Contains("matrices>, its types: is memory of the host"));
}

TEST_CASE("misuse on a device: memory of the host that a device reads is none", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(run_on_managed_and_pinned_memory() == "");
}

TEST_CASE("misuse on a device: a plan may go while its pass runs, and after its stream", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(destroy_while_running() == "");
  CHECK(destroy_stream_first() == "");
}

TEST_CASE("misuse on a device: a plan is not made during a capture, which goes on", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const result = plan_in_a_capture();
  CHECK_THAT(result.message, Contains("plan: the stream is being captured"));
  CHECK(result.replay == "");
}

TEST_CASE("misuse on a device: a state filled before a rebuild is refused", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const result = backward_after_rebuild();
  CHECK_THAT(result.message, Contains("backward: saved was filled before rebuild"));
  CHECK(result.afterwards == "");
}

TEST_CASE("misuse on a device: what was moved from is refused", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const messages = refusals_of_what_was_moved();
  REQUIRE(messages.size() == 5);
  CHECK_THAT(messages[0], Contains("backward: saved is empty"));
  CHECK_THAT(messages[1], Contains("forward: the plan was moved from"));
  CHECK_THAT(messages[2], Contains("backward: the plan was moved from"));
  CHECK_THAT(messages[3], Contains("make_saved: the plan was moved from"));
  CHECK_THAT(messages[4], Contains("rebuild: the plan was moved from"));
}

TEST_CASE("misuse on a device: rows of more tiles than a launch takes", "[plan][gpu]") {
  skip_without_cuda_device();
  CHECK(run_wide_rows(34'000'000) == "");  // tiles of 512 channels
  CHECK(run_wide_rows(8'500'001) == "");   // of 128
}
