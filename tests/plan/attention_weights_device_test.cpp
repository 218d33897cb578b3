#include "attention_weights_check.hpp"
#include "device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("attention weights on a device: of every edge, by edge id", "[plan][gpu]", gat_and_weights,
                   transformer_and_weights) {
  skip_without_cuda_device();
  check_weights<TestType>(run_on_device<TestType, float>);
}
