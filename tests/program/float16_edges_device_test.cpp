#include "float16_edge_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage on a device: outputs of edges and kept values of edges", "[program][gpu]",
                   edge_dot_of_mixed, edge_product_in_bfloat16, stashed_in_float16) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
