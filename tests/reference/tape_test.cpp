#include "tape.hpp"

#include <functional>
#include <string>

#include "support/catch.hpp"

#include "finite_difference.hpp"

namespace {

using namespace edgewise::reference;

/// d f / d x at x, as the tape tells it.
term derivative(std::function<variable(variable const&)> const& f, double x) {
  tape record;
  variable const result = f(record.leaf(x, 3));
  term total(0);
  record.pull(result, 1, [&](std::size_t id, term const& adjoint) {
    CHECK(id == 3);
    total.value += adjoint.value;
    total.magnitude += adjoint.magnitude;
  });
  return total;
}

}  // namespace

TEST_CASE("tape: every function follows its difference quotient", "[reference]") {
  struct named {
    std::string name;
    std::function<variable(variable const&)> f;
  };
  std::vector<named> const functions{
      {"x + c", [](variable const& x) { return x + 3.0; }},
      {"c - x", [](variable const& x) { return 3.0 - x; }},
      {"-x", [](variable const& x) { return -x; }},
      {"x * x", [](variable const& x) { return x * x; }},
      {"x / c", [](variable const& x) { return x / 3.0; }},
      {"c / x", [](variable const& x) { return 3.0 / x; }},
      {"exp", [](variable const& x) { return exp(x); }},
      {"log", [](variable const& x) { return log(x + 3.0); }},
      {"sqrt", [](variable const& x) { return sqrt(x + 3.0); }},
      {"square", [](variable const& x) { return square(x); }},
      {"tanh", [](variable const& x) { return tanh(x); }},
      {"sigmoid", [](variable const& x) { return sigmoid(x); }},
      {"relu", [](variable const& x) { return relu(x); }},
      {"leaky_relu", [](variable const& x) { return leaky_relu(x, 0.2); }},
      {"elu", [](variable const& x) { return elu(x, 1.5); }},
      {"abs", [](variable const& x) { return abs(x); }},
      {"maximum", [](variable const& x) { return maximum(x, 2.0 * x - 0.25); }},
      {"minimum", [](variable const& x) { return minimum(x, 2.0 * x - 0.25); }},
      {"mixed", [](variable const& x) { return exp(x * x - x) / (1.0 + sigmoid(3.0 * x)) * tanh(x); }},
  };
  for (auto const& function : functions) {
    auto const& f = function.f;
    for (double x : {-1.7, -0.3, 0.4, 2.2}) {
      INFO(function.name << " at " << x);
      auto const quotient = central_difference([&](double t) { return f(x + t).value; }, 1e-3, 1);
      auto const [value, magnitude] = derivative(f, x);
      CHECK(value == Approx(quotient.value).margin(1e-9));
      CHECK(magnitude >= std::abs(value) * (1 - 1e-12));
      CHECK(f(x).magnitude >= std::abs(f(x).value) * (1 - 1e-12));
    }
  }
}

TEST_CASE("tape: derivatives at kinks are the documented ones", "[reference]") {
  CHECK(derivative([](variable const& x) { return relu(x); }, 0).value == 0);
  CHECK(derivative([](variable const& x) { return leaky_relu(x, 0.2); }, 0).value == 0.2);
  CHECK(derivative([](variable const& x) { return abs(x); }, 0).value == 0);
  CHECK(derivative([](variable const& x) { return maximum(2.0 * x, 3.0 * x); }, 0).value == 2);
  CHECK(derivative([](variable const& x) { return minimum(2.0 * x, 3.0 * x); }, 0).value == 2);
}

TEST_CASE("tape: magnitudes remember what cancelled", "[reference]") {
  tape record;
  variable const x = record.leaf(5, 0);
  variable const cancelled = (x + 1e6) - 1e6;
  CHECK(cancelled.value == 5);
  CHECK(cancelled.magnitude == 2e6 + 5);
  CHECK((x * 2.0).magnitude == 10);
  // The derivative of x * x - 2 x y by x at x = y cancels too.
  auto const d = derivative([](variable const& v) { return v * v - 2.0 * v * 3.0; }, 3.0);
  CHECK(d.value == 0);
  CHECK(d.magnitude == 12);
}

TEST_CASE("tape: leaves that do not matter are not reported", "[reference]") {
  tape record;
  variable const x = record.leaf(1, 0);
  variable const y = record.leaf(2, 1);
  variable const z = x * 3.0;
  record.leaf(4, 2);
  int reports = 0;
  record.pull(z, 2, [&](std::size_t id, term const& adjoint) {
    CHECK(id == 0);
    CHECK(adjoint.value == 6);
    ++reports;
  });
  CHECK(reports == 1);
  record.pull(variable(7.0), 1, [&](std::size_t, term const&) { FAIL("a constant has no leaves"); });
  record.pull(y + x, 1, [&](std::size_t, term const&) { ++reports; });
  CHECK(reports == 3);
}
