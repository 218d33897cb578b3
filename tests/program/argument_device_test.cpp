#include "argument_cases.hpp"

#include <cmath>
#include <limits>

#include "gather/max_cases.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("argument edges on a device: values and gradients on the battery", "[program][gpu]",
                   range_of_neighbors, max_of_edge_products, layer_of_differences, max_of_scaled, max_of_scores,
                   unordered<range_of_neighbors>, unordered<layer_of_differences>, unordered<max_of_differences>) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  // where rows have few edges, traversals are taken by default
  check_case<TestType, float>(run_on_device<TestType, float>, {random_skewed(40, 1200), random_skewed(150, 5000)});
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("argument edges on a device: the same bits in many runs", "[program][gpu]") {
  skip_without_cuda_device();
  random_stream random("argument edges: repeats");
  test_graph const graph = random_skewed(300, 40000);  // hubs, which many rows pick
  auto request = draw_request<range_of_neighbors, float>(graph, {1, 96}, random);
  request.asked_set = 0;
  auto const first = run_on_device<range_of_neighbors, float>(request);
  for (int i = 0; i < 20; ++i) {
    CHECK(same_bits(run_on_device<range_of_neighbors, float>(request).gradients, first.gradients));
  }
}

TEST_CASE("argument edges on a device: infinite, NaN and tiny adjoints", "[program][gpu]") {
  skip_without_cuda_device();
  random_stream random("argument edges: special adjoints");
  test_graph const graph = random_skewed(30, 900);
  auto request = draw_request<range_of_neighbors, float>(graph, {1, 8}, random);
  request.asked_set = 0;
  // every adjoint of a channel is special in its own way, so that the reference in float64 says what its sums are
  float const infinity = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < request.grad_out.size(); ++i) {
    float& x = request.grad_out[i];
    switch (i % 8) {
      case 0:
        x = infinity;
        break;
      case 1:
        x = -infinity;
        break;
      case 2:
        x = std::numeric_limits<float>::quiet_NaN();
        break;
      case 3:
        x = i % 16 == 3 ? infinity : -infinity;
        break;
      case 4:
        x *= 1e-6f;
        break;
      default:
        break;
    }
  }
  auto const found = run_on_device<range_of_neighbors, float>(request).gradients.at(0);
  auto const expected = reference_of<range_of_neighbors>(request).whole(0);
  REQUIRE(found.size() == expected.value.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("channel " << i % 8 << ": " << found[i] << ", expected " << expected.value[i]);
    if (std::isnan(expected.value[i])) {
      CHECK(std::isnan(found[i]));
    } else if (std::isinf(expected.value[i])) {
      CHECK(static_cast<double>(found[i]) == expected.value[i]);
    } else {
      CHECK(std::abs(found[i] - expected.value[i]) <= 4 * 0x1p-23 * expected.scale[i]);
    }
  }
}
