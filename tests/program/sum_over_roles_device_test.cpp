#include "sum_over_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sum_over on a device: every role, on the battery", "[program][gpu]", vec_vertices, vec_score,
                   vec_self_and_epilogue) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}

TEMPLATE_TEST_CASE("sum_over on a device: vertices whose rows are cut", "[program][gpu]", vec_vertices) {
  skip_without_cuda_device();
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}
