#include "sum_cases.hpp"

#include "laws/check_locality.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sum on a device: values and gradients on the battery", "[gather][gpu]",
                   weighted_sum<operand_kind::per_row>, weighted_sum<operand_kind::per_head>) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
  check_wide_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("sum on a device: NaN reaches who depends on it", "[gather][gpu]") {
  skip_without_cuda_device();
  check_locality<weighted_sum<operand_kind::per_head>>(run_on_device<weighted_sum<operand_kind::per_head>, float>,
                                                       std::numeric_limits<double>::quiet_NaN());
}
