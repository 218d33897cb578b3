#include "finite_difference.hpp"

#include <functional>

#include "support/catch.hpp"

namespace {

using namespace edgewise::reference;
using edgewise::testing::random_stream;
using edgewise::testing::uniform_values;

/// y[i] = a[i] * a[i] * b[i], and d<g, y>.
std::vector<double> product(operands const& x) {
  std::vector<double> y;
  for (std::size_t i = 0; i < x[0].size(); ++i) y.push_back(x[0][i] * x[0][i] * x[1][i]);
  return y;
}

operands gradient_of_product(operands const& x, std::vector<double> const& g) {
  operands gradient(2);
  for (std::size_t i = 0; i < g.size(); ++i) {
    gradient[0].push_back(g[i] * 2 * x[0][i] * x[1][i]);
    gradient[1].push_back(g[i] * x[0][i] * x[0][i]);
  }
  return gradient;
}

struct example {
  random_stream random{"finite differences"};
  operands inputs;
  std::vector<double> g;
  operands gradients;

  explicit example(std::size_t size)
      : inputs{uniform_values<double>(size, random, 0.5, 1), uniform_values<double>(size, random, 0.5, 1)},
        g(uniform_values<double>(size, random, 0.5, 1)),
        gradients(gradient_of_product(inputs, g)) {}
};

}  // namespace

TEST_CASE("finite differences: smooth functions are certain", "[reference]") {
  auto const slope = central_difference([](double t) { return std::exp(2 * t); }, 1e-3, 1);
  CHECK(slope.value == Approx(2).epsilon(1e-11));
  CHECK(std::abs(slope.value - 2) < slope.uncertainty);
  CHECK(slope.uncertainty < 1e-5);
}

TEST_CASE("finite differences: kinks are uncertain, at the point and near it", "[reference]") {
  for (double at : {0.0, 1e-5, -4e-4, 6e-4}) {
    INFO("kink at " << at);
    auto const slope = central_difference([&](double t) { return std::abs(t - at); }, 1e-3, 1);
    CHECK(slope.uncertainty > 0.1);
  }
  CHECK(central_difference([](double t) { return std::abs(t - 2e-3); }, 1e-3, 1).uncertainty < 1e-9);
}

TEST_CASE("finite differences: the right gradient passes", "[reference]") {
  auto const size = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{500});
  example x(size);
  auto const check = check_gradient(product, x.inputs, x.gradients, x.g, x.random);
  INFO(check);
  CHECK(check);
  CHECK(check.num_checked == 2 * std::min<std::size_t>(size, 64));
  CHECK(check.num_at_kinks == 0);
  CHECK(check_adjoint(product, x.inputs, x.gradients, x.g, x.random));
}

TEST_CASE("finite differences: wrong gradients are flagged", "[reference]") {
  example x(30);
  SECTION("one element by a part in a thousand") {
    x.gradients[1][7] *= 1.001;
    auto const check = check_gradient(product, x.inputs, x.gradients, x.g, x.random);
    CHECK(check.num_bad == 1);
    CHECK(check.first_bad_operand == 1);
    CHECK(check.first_bad == 7);
    CHECK(check.gradient == x.gradients[1][7]);
  }
  SECTION("two elements swapped") { std::swap(x.gradients[0][3], x.gradients[0][4]); }
  SECTION("an operand without gradient") { x.gradients[0].assign(30, 0.0); }
  SECTION("no gradient at all") { x.gradients = {std::vector<double>(30), std::vector<double>(30)}; }
  SECTION("one sign") { x.gradients[1][29] *= -1; }
  SECTION("NaN") { x.gradients[0][0] = NAN; }
  CHECK_FALSE(check_gradient(product, x.inputs, x.gradients, x.g, x.random));
  CHECK_FALSE(check_adjoint(product, x.inputs, x.gradients, x.g, x.random));
}

TEST_CASE("finite differences: too many kinks are no success", "[reference]") {
  random_stream random("finite differences: kinks");
  operands const inputs{std::vector<double>(10, 0.0)};
  auto absolute = [](operands const& x) {
    std::vector<double> y;
    for (double value : x[0]) y.push_back(std::abs(value) + 0.1 * value);
    return y;
  };
  std::vector<double> const ones(10, 1.0);
  auto const check = check_gradient(absolute, inputs, {std::vector<double>(10, 0.1)}, ones, random);
  CHECK(check.num_at_kinks == 10);
  CHECK_FALSE(check);
  CHECK_FALSE(check_adjoint(absolute, inputs, {std::vector<double>(10, 0.1)}, ones, random));
}

TEST_CASE("finite differences: samples are distinct and within range", "[reference]") {
  random_stream random("finite differences: samples");
  auto const all = sample_elements(5, 5, random);
  CHECK(all == std::vector<std::size_t>{0, 1, 2, 3, 4});
  auto const some = sample_elements(1000, 64, random);
  CHECK(some.size() == 64);
  CHECK(std::adjacent_find(some.begin(), some.end(), std::greater_equal<>{}) == some.end());
  CHECK(some.back() < 1000);
  CHECK(some.back() > 500);
}

TEST_CASE("finite differences: sizes that do not fit are errors of the test", "[reference]") {
  example x(4);
  CHECK_THROWS_AS(inner_product({1, 2}, {1, 2, 3}), edgewise::invalid_argument);
  x.gradients[1].pop_back();
  CHECK_THROWS_WITH(check_gradient(product, x.inputs, x.gradients, x.g, x.random),
                    Catch::Contains("operand 1 has 4 elements, its gradient 3"));
}
