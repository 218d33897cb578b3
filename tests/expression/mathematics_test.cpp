#include <edgewise/expression/mathematics.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

#include "../reference/finite_difference.hpp"

namespace ew = edgewise;
using ew::dual;
using ew::reference::central_difference;

namespace {

/// Checks the dual number f(t) against central differences at x.
template <class F>
void check_derivative(F const& f, double x) {
  INFO("at " << x);
  auto const slope = central_difference([&](double t) { return f(x + t); }, 1e-4, std::abs(f(x)));
  auto const result = f(dual<double>(x, -1.5));
  CHECK(result.value == f(x));
  REQUIRE(slope.is_certain(std::abs(slope.value)));
  CHECK(std::abs(result.derivative + 1.5 * slope.value) <= 2 * slope.uncertainty + 1e-10 * std::abs(result.derivative));
}

}  // namespace

TEST_CASE("mathematics: scalars of either precision", "[expression]") {
  double const x = GENERATE(0.3, 1.0, 2.2);
  CHECK(ew::sin(x) == std::sin(x));
  CHECK(ew::cos(x) == std::cos(x));
  CHECK(ew::pow(x, 2.5) == std::pow(x, 2.5));
  float const in_float = static_cast<float>(x);
  CHECK(ew::sin(in_float) == Approx(std::sin(x)).epsilon(1e-6));
  CHECK(ew::cos(in_float) == Approx(std::cos(x)).epsilon(1e-6));
  CHECK(ew::pow(in_float, 3) == Approx(std::pow(x, 3)).epsilon(1e-6));
  CHECK(ew::erf(in_float) == Approx(std::erf(x)).epsilon(1e-6));
  CHECK(ew::erfc(in_float) == Approx(std::erfc(x)).epsilon(1e-6));
  CHECK(ew::log1p(in_float) == Approx(std::log1p(x)).epsilon(1e-6));
}

TEST_CASE("mathematics: derivatives of the error function and of log(1 + x)", "[expression]") {
  double const x = GENERATE(-0.7, 0.0, 0.3, 1.9);
  check_derivative([](auto t) { return ew::erf(t); }, x);
  check_derivative([](auto t) { return ew::erfc(t); }, x);
  check_derivative([](auto t) { return ew::log1p(t); }, x);
}

TEST_CASE("mathematics: derivatives by dual numbers", "[expression]") {
  for (double x : {-2.0, -0.25, 0.5, 1.75}) {
    check_derivative([](auto t) { return ew::sin(t); }, x);
    check_derivative([](auto t) { return ew::cos(t); }, x);
    check_derivative([](auto t) { return ew::pow(t, 3); }, x);
  }
  for (double x : {0.25, 1.0, 3.0}) {
    check_derivative([](auto t) { return ew::pow(t, 0.5f); }, x);
    check_derivative([](auto t) { return ew::pow(t, t); }, x);
    check_derivative([](auto t) { return ew::pow(decltype(t)(2), t); }, x);
  }
}

TEST_CASE("mathematics: pow of zero and of negative numbers", "[expression]") {
  CHECK(ew::pow(ew::dual<double>(0, 1), 0).value == 1);
  CHECK(ew::pow(ew::dual<double>(0, 1), 0).derivative == 0);
  CHECK(ew::pow(dual<double>(0.0, 1.0), 2).derivative == 0);
  CHECK(ew::pow(dual<double>(0.0, 1.0), 1).derivative == 1);
  CHECK(ew::pow(dual<double>(-2.0, 1.0), 2).derivative == -4);
  CHECK(ew::pow(dual<double>(0.0, 0.0), dual<double>(2.0, 1.0)).derivative == 0);
  CHECK(ew::pow(dual<double>(0.0, 1.0), 0.5).derivative == std::numeric_limits<double>::infinity());
}
