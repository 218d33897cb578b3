#include "edge_softmax_check.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge softmax on a device: weighted values", "[program][gpu]", edge_scored_attention,
                   edge_weighted_values, edge_dropped_attention) {
  skip_without_cuda_device();
  check_edge_softmax<TestType>(run_on_device<TestType, float>);
}
