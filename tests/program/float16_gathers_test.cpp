#include "float16_cases.hpp"
#include "float16_sums.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("16-bit storage: values and gradients of every gather on the battery", "[program]", sum_in_bfloat16,
                   deviation_of_mixed EDGEWISE_MORE_CASES(sum_in_float16, bfloat16_sum_of_float_weights,
                                                          float_sum_of_mixed, mean_in_float16, mean_of_mixed,
                                                          largest_of_mixed, smallest_in_bfloat16, product_in_bfloat16,
                                                          product_of_mixed, deviation_in_float16)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("16-bit storage: sums are kept in float and rounded once", "[program]") {
  check_long_sums<float_sum_of_bfloat16, sum_in_bfloat16, bfloat16>(run_on_host<float_sum_of_bfloat16, float>,
                                                                    run_on_host<sum_in_bfloat16, float>);
  check_long_sums<float_sum_of_float16, sum_in_float16, float16>(run_on_host<float_sum_of_float16, float>,
                                                                 run_on_host<sum_in_float16, float>);
}

TEST_CASE("16-bit storage: what a float16 cannot hold is inf at its own place", "[program]") {
  check_overflow<sum_in_float16>(run_on_host<sum_in_float16, float>);
}
