#include "tangent_device.hpp"

#include "check_tangents.hpp"
#include "plan/host_machine.hpp"
#include "run_tangents.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("tangents on a device: as on the host", "[program][gpu]", attention_tangents, potential_tangents,
                   mixed_tangents, dense_tangents) {
  skip_without_cuda_device();
  for (auto const& graph : tangent_graphs()) {
    INFO(TestType::name << " on " << graph.name);
    tangent_inputs const in = draw_tangents(graph);
    tangent_results const found = run_tangents_on_device<TestType>(graph, in);
    tangent_results const expected = run_tangents<TestType, with_tangent<double>>(host_machine{}, graph, in);
    CHECK(count_far(found.value, expected.value, 2e-5) == 0);
    CHECK(count_far(found.tangent, expected.tangent, 5e-5) == 0);
    CHECK(run_tangents_on_device<TestType>(graph, in).tangent == found.tangent);
  }
}
