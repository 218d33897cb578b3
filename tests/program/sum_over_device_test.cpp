#include "sum_over_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

using monet_2 = monet<2, operand_kind::per_channel>;
using monet_3 = monet<3, operand_kind::wide>;

TEMPLATE_TEST_CASE("sum_over on a device: values and gradients on the battery", "[program][gpu]", monet_2, monet_3,
                   shared_monet) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}

TEMPLATE_TEST_CASE("sum_over on a device: rows that are cut", "[program][gpu]", monet_3) {
  skip_without_cuda_device();
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}
