#include "float16_cases.hpp"
#include "float16_sums.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage on a device: values and gradients of sums on the battery", "[program][gpu]",
                   sum_in_bfloat16, sum_in_float16) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("16-bit storage on a device: sums are kept in float and rounded once", "[program][gpu]") {
  skip_without_cuda_device();
  check_long_sums<float_sum_of_bfloat16, sum_in_bfloat16, bfloat16>(run_on_device<float_sum_of_bfloat16, float>,
                                                                    run_on_device<sum_in_bfloat16, float>);
  check_long_sums<float_sum_of_float16, sum_in_float16, float16>(run_on_device<float_sum_of_float16, float>,
                                                                 run_on_device<sum_in_float16, float>);
}

TEST_CASE("16-bit storage on a device: what a float16 cannot hold is inf at its own place", "[program][gpu]") {
  skip_without_cuda_device();
  check_overflow<sum_in_float16>(run_on_device<sum_in_float16, float>);
}
