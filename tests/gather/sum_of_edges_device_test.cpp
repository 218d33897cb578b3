#include "sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sum of edges on a device: values and gradients on the battery", "[gather][gpu]",
                   weighted_sum<operand_kind::wide>, sum_of_edges<operand_kind::per_row>,
                   sum_of_edges<operand_kind::per_head>) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}
