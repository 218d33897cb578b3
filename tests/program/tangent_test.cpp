#include "run_tangents.hpp"

#include "check_tangents.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("tangents: derivatives of values and gradients along a direction", "[program]", weighted_tangents,
                   attention_tangents, potential_tangents, mixed_tangents, largest_tangents, dense_tangents) {
  check_tangents<TestType>(
      [](test_graph const& graph, tangent_inputs const& in) {
        return run_tangents<TestType, with_tangent<double>>(host_machine{}, graph, in);
      },
      [](test_graph const& graph, tangent_inputs const& in) {
        return run_tangents<TestType, double>(host_machine{}, graph, in);
      });
}
