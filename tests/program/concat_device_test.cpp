#include "concat_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("concat on a device: values and gradients on the battery", "[program][gpu]", pna,
                   epilogues_side_by_side, summed_and_averaged_heads, numbers_of_heads, both_extrema) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEMPLATE_TEST_CASE("concat on a device: parts stored in 16 bits, and a softmax beside a mean", "[program][gpu]",
                   pna_in_bfloat16, epilogues_in_float16, first_set<attention_beside_mean>) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
