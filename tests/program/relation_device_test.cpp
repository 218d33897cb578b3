#include "relation_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("operands by type on a device: values and gradients on the battery", "[program][gpu]",
                   relation_product, relation_attention, relation_scores) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEMPLATE_TEST_CASE("operands by type on a device: self edges, maxima", "[program][gpu]", relation_bases,
                   relation_maximum) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}
