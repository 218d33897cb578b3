#include "operation_check.hpp"

#include <edgewise/expression/arithmetic.hpp>

#include <cmath>

#include "support/catch.hpp"

#include "message_check.hpp"
#include "names.hpp"

namespace ew = edgewise;
using namespace ew::testing;
using ew::dst;
using ew::edge;
using ew::param;
using ew::role;
using ew::src;

TEST_CASE("arithmetic: operations have the right values and derivatives", "[expression]") {
  double const a = GENERATE(-2.5, 0.75, 3.0);
  double const b = GENERATE(-1.25, 0.5, 4.0);
  check_smooth(ew::operation::add{}, a + b, a, b);
  check_smooth(ew::operation::subtract{}, a - b, a, b);
  check_smooth(ew::operation::multiply{}, a * b, a, b);
  check_smooth(ew::operation::divide{}, a / b, a, b);
  check_smooth(ew::operation::negate{}, -a, a);
}

TEST_CASE("arithmetic: channels of an edge weight per head are summed into its adjoint", "[expression]") {
  check_message<per_head_operand<role::edge, w>, wide_operand<role::source, h>>(
      edge<w> * src<h>,
      [](auto const& x, int e, int head, int channel) { return x(0, e, head, channel) * x(1, e, head, channel); });
}

TEST_CASE("arithmetic: heads and channels of a weight per row are summed into its adjoint", "[expression]") {
  check_message<per_row_operand<role::edge, w>, wide_operand<role::source, h>, per_row_operand<role::destination, s>>(
      edge<w> * src<h> / dst<s>, [](auto const& x, int e, int head, int channel) {
        return x(0, e, head, channel) * x(1, e, head, channel) / x(2, e, head, channel);
      });
}

TEST_CASE("arithmetic: per head meets per row before channels come in", "[expression]") {
  check_message<per_head_operand<role::source, h>, per_row_operand<role::edge, w>, wide_operand<role::destination, k>>(
      (src<h> + edge<w>)*src<h> - dst<k>, [](auto const& x, int e, int head, int channel) {
        return (x(0, e, head, channel) + x(1, e, head, channel)) * x(0, e, head, channel) - x(2, e, head, channel);
      });
}

TEST_CASE("arithmetic: a message without channels", "[expression]") {
  check_message<per_head_operand<role::source, h>, per_head_operand<role::destination, k>,
                per_row_operand<role::edge, w>>(edge<w> * (src<h> - dst<k>), [](auto const& x, int e, int head, int) {
    return x(2, e, head, 0) * (x(0, e, head, 0) - x(1, e, head, 0));
  });
}

TEST_CASE("arithmetic: a message that varies with the edge alone", "[expression]") {
  using row = host_message<per_row_operand<role::edge, w>, per_row_operand<role::destination, s>>;
  check_row(row(1, 1), edge<w> * dst<s> + edge<w>,
            [](auto const& x, int e, int, int) { return x(0, e, 0, 0) * x(1, e, 0, 0) + x(0, e, 0, 0); });
}

TEST_CASE("arithmetic: numbers of any type are constants", "[expression]") {
  check_message<wide_operand<role::source, h>>(2.5f * src<h> - 1 + src<h> / 4.0 - (3 - src<h>)*src<h>,
                                               [](auto const& x, int e, int head, int channel) {
                                                 double const v = x(0, e, head, channel);
                                                 return 2.5 * v - 1 + v / 4 - (3 - v) * v;
                                               });
}

TEST_CASE("arithmetic: what a row shares has one adjoint, the sum over its edges", "[expression]") {
  check_message<wide_operand<role::destination, k>, wide_operand<role::parameter, h>>(
      dst<k> * param<h> - param<h>, [](auto const& x, int e, int head, int channel) {
        return x(0, e, head, channel) * x(1, e, head, channel) - x(1, e, head, channel);
      });
}

TEST_CASE("arithmetic: dot sums the channels of a head", "[expression]") {
  check_message<wide_operand<role::source, h>, wide_operand<role::destination, k>>(
      dot(src<h>, dst<k>), [](auto const& x, int e, int head, int) {
        double sum = 0;
        for (int channel = 0; channel < x.channels(); ++channel) sum += x(0, e, head, channel) * x(1, e, head, channel);
        return sum;
      });
}

TEST_CASE("arithmetic: sum_channels of a plain operand hands its adjoint to every channel", "[expression]") {
  check_message<wide_operand<role::source, h>>(sum_channels(src<h>), [](auto const& x, int e, int head, int) {
    double sum = 0;
    for (int channel = 0; channel < x.channels(); ++channel) sum += x(0, e, head, channel);
    return sum;
  });
}

TEST_CASE("arithmetic: an operand broadcast under dot gets its adjoint once for each channel", "[expression]") {
  auto const formula = [](auto const& x, int e, int head, int) {
    double sum = 0;
    for (int channel = 0; channel < x.channels(); ++channel) {
      sum += (x(0, e, head, channel) + x(1, e, head, channel)) * x(2, e, head, channel);
    }
    return sum;
  };
  auto const message = dot(src<h> + edge<w>, dst<k>);
  using features = wide_operand<role::source, h>;
  using others = wide_operand<role::destination, k>;
  check_message<features, per_head_operand<role::edge, w>, others>(message, formula);
  check_message<features, per_row_operand<role::edge, w>, others>(message, formula);
}

TEST_CASE("arithmetic: the derivative by c of dot(a + c, b) is the sum of b's channels", "[expression]") {
  host_message<wide_operand<role::source, h>, per_head_operand<role::edge, w>, wide_operand<role::source, k>> const row(
      3, 7);
  random_stream random{"dot"};
  auto inputs = row.draw(random);
  for (auto& b : inputs[2]) b = std::round(8 * b);  // their sums round nowhere
  std::vector<double> const adjoint{1, 1, 1, 1, 1, 1};
  auto const gradients = row.pull(dot(src<h> + edge<w>, src<k>), inputs, adjoint);
  for (std::size_t head = 0; head < 6; ++head) {
    double sum = 0;
    for (std::size_t channel = 0; channel < 7; ++channel) sum += inputs[2][7 * head + channel];
    CHECK(gradients[1][head] == sum);
  }
}

TEST_CASE("arithmetic: a dot spreads over channels again, inside another dot", "[expression]") {
  auto const inner = [](auto const& x, int e, int head) {
    double sum = 0;
    for (int channel = 0; channel < x.channels(); ++channel) sum += x(0, e, head, channel) * x(1, e, head, channel);
    return sum;
  };
  check_message<wide_operand<role::source, h>, wide_operand<role::destination, k>>(
      dot(src<h>, dst<k>) * src<h>,
      [&](auto const& x, int e, int head, int channel) { return inner(x, e, head) * x(0, e, head, channel); });
  check_message<wide_operand<role::source, h>, wide_operand<role::destination, k>, per_row_operand<role::edge, w>>(
      dot(dot(src<h>, dst<k>) * src<h> + edge<w>, src<h>), [&](auto const& x, int e, int head, int) {
        double sum = 0;
        for (int channel = 0; channel < x.channels(); ++channel) {
          sum += (inner(x, e, head) * x(0, e, head, channel) + x(2, e, head, channel)) * x(0, e, head, channel);
        }
        return sum;
      });
}
