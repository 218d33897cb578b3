#include "check_locality.hpp"

#include "execute/device_run.hpp"
#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/masked_scores.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("locality on a device: NaN reaches who depends on it", "[laws][gpu]", weighted_sum<operand_kind::per_head>, gatv2) {
  skip_without_cuda_device();
  check_locality<TestType>(run_on_device<TestType, float>, std::numeric_limits<double>::quiet_NaN());
}

TEST_CASE("locality on a device: NaN reaches the maxima that depend on it", "[laws][gpu]") {
  skip_without_cuda_device();
  using Case = extremum_of_weighted<edgewise::max>;
  check_locality<Case>(run_on_device<Case, float>, std::numeric_limits<double>::quiet_NaN(), false);
}

TEST_CASE("softmax on a device: scores of -inf mask edges and rows, whatever the values", "[laws][gpu]") {
  skip_without_cuda_device();
  check_masked_scores(run_on_device<edge_values, float>);
  check_masked_scores(run_on_device<edge_values, float>, std::numeric_limits<float>::quiet_NaN());
  check_masked_scores(run_on_device<edge_values, float>, std::numeric_limits<float>::infinity());
}
