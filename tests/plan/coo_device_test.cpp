#include "coo_device_test.hpp"

#include "support/catch.hpp"

#include "coo_cases.hpp"
#include "coo_check.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("scatter on a device: values and gradients on the battery", "[plan][gpu]", scattered_weighted_sum,
                   scattered_differences, scattered_scores, scattered_per_channel, scattered_vectors,
                   scattered_extremum<edgewise::max>, scattered_extremum<edgewise::min>) {
  skip_without_cuda_device();
  check_scattered<TestType, float>(coo_on_device<TestType, float, false>);
}

TEST_CASE("scatter on a device: edges in any order, and doubles", "[plan][gpu]") {
  skip_without_cuda_device();
  check_scattered<scattered_weighted_sum, float>(coo_on_device<scattered_weighted_sum, float, true>);
  check_scattered<scattered_weighted_sum, double>(coo_on_device<scattered_weighted_sum, double, false>);
}

TEMPLATE_TEST_CASE("scatter on a device: rows wider than any group", "[plan][gpu]", scattered_vectors,
                   scattered_per_channel) {
  skip_without_cuda_device();
  random_stream random("scatter: wide rows");
  auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{1, 20000}, width{2, 9000}}) {
    check_all_but_bits<TestType, float>(coo_on_device<TestType, float, false>,
                                        draw_request<TestType, float>(graph, w, random));
  }
}

TEST_CASE("scatter on a device: sums that round stay within tolerance", "[plan][gpu]") {
  skip_without_cuda_device();
  random_stream random("scatter: rounding sums");
  auto const graph = one_hub();
  auto request = draw_request<scattered_weighted_sum, float>(graph, {1, 32}, random);
  for (auto& values : request.operands) values = draw_values<float>(values.size(), draw::uniform, random);
  request.asked_set = 1;
  auto const expected = reference_of<scattered_weighted_sum>(request);
  auto const result = coo_on_device<scattered_weighted_sum, float, false>(request);
  tolerance_rule const rule = rule_for<scattered_weighted_sum, float>();
  CHECK(compare(result.out, expected.out, rule));
  CHECK(compare(result.gradients.at(0), expected.whole(0), rule));
  CHECK(compare(result.gradients.at(1), expected.whole(1), rule));
}
