// Offsets and edge ids beyond 2^32.
#include "far_edges.hpp"

#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Weights by id, of which only a window is in memory: nothing else may be read.
struct window_machine : host_machine {
  struct rows {
    std::vector<float> window;
    long long first;
    float const* data() const {
      return reinterpret_cast<float const*>(reinterpret_cast<std::uintptr_t>(window.data()) - first * sizeof(float));
    }
    std::vector<float> values() const { return window; }
  };
  rows edge_rows(std::vector<float> values, long long first) const { return {std::move(values), first}; }
  std::vector<float> download(std::vector<float> const& values) const { return values; }
};

}  // namespace

TEMPLATE_TEST_CASE("far edges: offsets beyond 2^32", "[execute]", weighted_sum<operand_kind::per_row>,
                   extremum_of_weighted<edgewise::max>) {
  check_far_edges<TestType>(
      [](run_request<float> const& request) { return run_program<TestType>(host_machine{}, request, far_edges{}); });
}

TEMPLATE_TEST_CASE("far edges: ids beyond 2^32", "[execute]", edgewise::sum, edgewise::max) {
  check_far_ids(
      [](test_graph const& edges, long long first) { return run_ids_from<TestType>(window_machine{}, edges, first); });
}
