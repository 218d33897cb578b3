#include "linear_device.hpp"

#include "check_linear.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("linear on a device: values and gradients on small graphs", "[program][gpu]", two_layers,
                   edge_convolution, concatenated_rows, attention_layer, products_by_type) {
  skip_without_cuda_device();
  check_linear<TestType>(run_linear_on_device<TestType>, 2e-5);
}
