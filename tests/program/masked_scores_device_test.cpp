#include "attention_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "program/masked_scores.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("softmax of edges on a device: values and gradients on the battery", "[program][gpu]", edge_values) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("softmax on a device: scores of -inf mask edges and rows, whatever the values", "[program][gpu]") {
  skip_without_cuda_device();
  check_masked_scores(run_on_device<edge_values, float>);
  check_masked_scores(run_on_device<edge_values, float>, std::numeric_limits<float>::quiet_NaN());
  check_masked_scores(run_on_device<edge_values, float>, std::numeric_limits<float>::infinity());
}

TEST_CASE("softmax on a device: weights and gradients do not depend on how large all scores of a row are",
          "[program][gpu]") {
  skip_without_cuda_device();
  check_far_scores(run_on_device<edge_values, float>);
}
