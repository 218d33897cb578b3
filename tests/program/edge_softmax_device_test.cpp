#include "edge_softmax_check.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge softmax on a device: values and gradients", "[program][gpu]", edge_attention,
                   edge_masked_values) {
  skip_without_cuda_device();
  check_edge_softmax<TestType>(run_on_device<TestType, float>);
}

TEST_CASE("edge softmax on a device: scores of -inf mask edges and rows, whatever the values", "[program][gpu]") {
  skip_without_cuda_device();
  check_masked_edges(run_on_device<edge_masked_values, float>);
  check_masked_edges(run_on_device<edge_masked_values, float>, std::numeric_limits<float>::quiet_NaN());
  check_large_edge_scores(run_on_device<edge_masked_values, float>);
}
