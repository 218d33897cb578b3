#include "operation_check.hpp"

#include <edgewise/expression/functor.hpp>

#include <cmath>
#include <limits>
#include <string>

#include "support/catch.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>

#include "functors.hpp"
#include "message_check.hpp"
#include "names.hpp"

namespace ew = edgewise;
using namespace ew::testing;
using ew::dst;
using ew::edge;
using ew::role;
using ew::src;

namespace {

template <class F>
using operation_of = ew::operation::functor<F>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// a + log(b): its derivative by a is 1 wherever b is.
struct add_log {
  template <class T>
  EDGEWISE_HD T operator()(T a, T b) const {
    return a + ew::log(b);
  }
};

/// Takes the larger, as the operation does.
struct larger {
  template <class T>
  EDGEWISE_HD T operator()(T a, T b) const {
    return ew::maximum(a, b);
  }
};

double silu_of(double x) { return x / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("functor: apply builds a node of the functor, which costs no room when it is empty", "[expression]") {
  constexpr auto message = ew::apply(silu{}, src<h>);
  using node = std::remove_const_t<decltype(message)>;
  static_assert(std::is_same_v<node, ew::node<ew::operation::functor<silu>, ew::leaf<role::source, h>>>);
  static_assert(ew::expression<node>);
  static_assert(std::is_empty_v<ew::operation::functor<silu>>);
  static_assert(std::is_trivially_copyable_v<ew::operation::functor<radial_basis>>);
  constexpr auto centered = ew::apply(radial_basis{2, 0.5}, src<h>);
  static_assert(centered.op.f.gamma == 2 && centered.op.f.center == 0.5);
}

TEST_CASE("functor: name and cost come from the functor where it has them", "[expression]") {
  CHECK(std::string(operation_of<radial_basis>::name) == "radial_basis");
  CHECK(operation_of<radial_basis>::flops == 11);
  CHECK(std::string(operation_of<silu>::name) == "functor");
  CHECK(operation_of<silu>::flops == 8);
}

TEST_CASE("functor: one argument, differentiated by dual numbers", "[expression]") {
  double const x = GENERATE(-3.0, -0.5, 0.0, 0.25, 2.0);
  check_smooth(operation_of<silu>{}, silu_of(x), x);
  check_smooth(operation_of<radial_basis>{{0.5f, 0.25}}, std::exp(-0.5 * (x - 0.25) * (x - 0.25)), x);
}

TEST_CASE("functor: two, three and four arguments, differentiated by dual numbers", "[expression]") {
  double const a = GENERATE(-1.5, 0.5, 2.0);
  double const b = GENERATE(-0.75, 1.25);
  check_smooth(operation_of<gate>{}, a > b ? std::fmax(a * b, 0.0) : 0.25 * a, a, b);
  check_smooth(operation_of<fused_multiply_tanh>{}, std::tanh(a * b + 0.5), a, b, 0.5);
  check_smooth(operation_of<interpolate>{}, a + std::pow(0.75, 1.5) * (b - a), a, b, 0.75, 1.5);
}

TEST_CASE("functor: its own pull is used where it has one", "[expression]") {
  static_assert(ew::detail::has_own_pull<straight_through, 1>);
  static_assert(ew::detail::has_own_pull<own_derivative, 2>);
  static_assert(!ew::detail::has_own_pull<silu, 1>);
  operation_of<straight_through> const sign;
  CHECK(sign.value(0.5) == 1);
  CHECK(sign.pull<0>(3.0, 1.0, 0.5) == 3);  // dual numbers would say 0
  operation_of<own_derivative> const op;
  CHECK(op.value(3.0, 0.5) == 4.5);
  CHECK(op.pull<0>(2.0, 4.5, 3.0, 0.5) == 6);
  CHECK(op.pull<1>(2.0, 4.5, 3.0, 0.5) == 18);
}

TEST_CASE("functor: an adjoint is multiplied last, unless slopes are finite", "[expression]") {
  float const slope = operation_of<silu>{}.pull<0>(65536.0f, 0.0f, -80.0f);  // exp(80) times that is none in float
  CHECK(std::isfinite(slope));
  CHECK(std::abs(slope) < 1e-25f);
  operation_of<leaky_sum> const op;
  CHECK(op.pull<0>(3.0, 5.0, 1.0, 2.0) == 3);
  CHECK(op.pull<1>(3.0, 5.0, 1.0, 2.0) == 6);
  CHECK(op.pull<0>(3.0, -0.75, 1.0, -2.0) == 0.75);
  CHECK(op.pull<1>(3.0, -0.75, 1.0, -2.0) == 1.5);
  CHECK(op.pull<0>(0.0, 5.0, 1.0, 2.0) == 0);
}

TEST_CASE("functor: an argument's pole does not reach the derivative by another", "[expression]") {
  operation_of<add_log> const op;
  CHECK(op.pull<0>(2.0, -infinity, 1.0, 0.0) == 2);
  CHECK(op.pull<1>(2.0, -infinity, 1.0, 0.0) == infinity);
}

TEST_CASE("functor: an adjoint selected out is 0, even an infinite one; ties go to the first", "[expression]") {
  operation_of<larger> const op;
  CHECK(op.pull<0>(infinity, 2.0, 1.0, 2.0) == 0);
  CHECK(op.pull<1>(infinity, 2.0, 1.0, 2.0) == infinity);
  CHECK(op.pull<0>(3.0, 1.0, 1.0, 1.0) == 3);
  CHECK(op.pull<1>(3.0, 1.0, 1.0, 1.0) == 0);
}

TEST_CASE("functor: messages of functors have the values and gradients of their formulas", "[expression]") {
  check_message<wide_operand<role::source, h>>(
      ew::apply(silu{}, src<h>),
      [](auto const& x, int e, int head, int channel) { return silu_of(x(0, e, head, channel)); });
  check_message<wide_operand<role::source, h>, per_head_operand<role::edge, w>, per_row_operand<role::destination, s>>(
      ew::apply(fused_multiply_tanh{}, src<h>, edge<w>, dst<s>), [](auto const& x, int e, int head, int channel) {
        return std::tanh(x(0, e, head, channel) * x(1, e, head, channel) + x(2, e, head, channel));
      });
}

TEST_CASE("functor: a per-head functor meets channels, and plain numbers are arguments", "[expression]") {
  check_message<per_head_operand<role::source, w>, wide_operand<role::destination, k>>(
      ew::apply(radial_basis{1.5f, 0.5}, src<w>) * ew::apply(interpolate{}, dst<k>, 2, src<w>, 1.5f),
      [](auto const& x, int e, int head, int channel) {
        double const distance = x(0, e, head, channel), feature = x(1, e, head, channel);
        return std::exp(-1.5 * (distance - 0.5) * (distance - 0.5)) *
               (feature + std::pow(distance, 1.5) * (2 - feature));
      });
}

TEST_CASE("functor: under a dot, over another functor", "[expression]") {
  check_message<wide_operand<role::source, h>, per_head_operand<role::edge, w>>(
      dot(ew::apply(own_derivative{}, ew::apply(silu{}, src<h>), edge<w>), src<h>),
      [](auto const& x, int e, int head, int) {
        double sum = 0;
        for (int channel = 0; channel < x.channels(); ++channel) {
          double const feature = x(0, e, head, channel), inner = silu_of(feature);
          sum += inner * inner * x(1, e, head, channel) * feature;
        }
        return sum;
      });
}

TEST_CASE("functor: gives what the operation of the same text gives", "[expression]") {
  using row = host_message<wide_operand<role::source, h>, wide_operand<role::destination, k>>;
  row const message(3, 7);
  random_stream random{"functor and operation"};
  auto const inputs = message.draw(random);
  auto const adjoint = uniform_values<double>(2 * 3 * 7, random);
  auto const by_functor = ew::apply(larger{}, src<h>, dst<k>);
  auto const by_operation = ew::maximum(src<h>, dst<k>);
  CHECK(message.value(by_functor, inputs) == message.value(by_operation, inputs));
  CHECK(message.pull(by_functor, inputs, adjoint) == message.pull(by_operation, inputs, adjoint));
}
