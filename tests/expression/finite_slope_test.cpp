#include "support/catch.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/pass/aggregation_backward.hpp>
#include <edgewise/register/host_geometry.hpp>

using namespace edgewise;

namespace {

constexpr float finite[] = {0.f, -0.f, 1.f, -1.f, 0.5f, -3.f, 1e-40f, -1e-40f, 1e30f, -1e30f};

template <class Op>
void check_unary(Op const& op) {
  for (float const x : finite) {
    INFO(Op::name << "(" << x << ")");
    CHECK(std::isfinite(op.template pull<0>(1.f, op.value(x), x)));
  }
}
template <class Op>
void check_binary(Op const& op) {
  for (float const a : finite) {
    for (float const b : finite) {
      INFO(Op::name << "(" << a << ", " << b << ")");
      CHECK(std::isfinite(op.template pull<0>(1.f, op.value(a, b), a, b)));
      CHECK(std::isfinite(op.template pull<1>(1.f, op.value(a, b), a, b)));
    }
  }
}

struct a;
struct b;
struct twice {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x + x;
  }
};
struct promising : twice {
  static constexpr bool has_finite_slope = true;
};
struct honest : twice {
  static constexpr bool has_finite_slope = false;
};
template <class E>
constexpr bool has_finite_slopes(E const&) {
  return edgewise::detail::has_finite_slopes<E>;
}
struct chunks_of_four {
  static constexpr int channels_per_chunk = 4;
};
/// Are adjoints of such a score pulled in parts?
template <class E>
constexpr bool is_open(E const&) {
  return edgewise::detail::pulls_open_scores<edgewise::detail::softmax_aggregation<E, leaf<role::source, a>>,
                                             chunks_of_four>;
}

}  // namespace

TEST_CASE("finite slopes: the operations that promise them have them", "[expression]") {
  check_binary(operation::add{});
  check_binary(operation::subtract{});
  check_binary(operation::multiply{});
  check_binary(operation::maximum{});
  check_binary(operation::minimum{});
  check_unary(operation::negate{});
  check_unary(operation::tanh{});
  check_unary(operation::sigmoid{});
  check_unary(operation::relu{});
  check_unary(operation::leaky_relu{0.2});
  check_unary(operation::abs{});
}

TEST_CASE("finite slopes: an expression has them where all of its operations do", "[expression]") {
  STATIC_REQUIRE(has_finite_slopes(leaky_relu(src<a> + dst<b>, 0.2)));
  STATIC_REQUIRE(has_finite_slopes(tanh(src<a>) * 0.5 - edge<b>));
  STATIC_REQUIRE_FALSE(has_finite_slopes(sqrt(src<a>)));
  STATIC_REQUIRE_FALSE(has_finite_slopes(src<a> / dst<b>));
  STATIC_REQUIRE_FALSE(has_finite_slopes(log(src<a>) + dst<b>));
  STATIC_REQUIRE_FALSE(has_finite_slopes(apply(twice{}, src<a>)));
  STATIC_REQUIRE(has_finite_slopes(apply(promising{}, src<a>)));
  STATIC_REQUIRE_FALSE(has_finite_slopes(apply(honest{}, src<a>)));
  STATIC_REQUIRE(has_finite_slopes(dot(src<a>, dst<b>)));
  STATIC_REQUIRE_FALSE(has_finite_slopes(sum_channels(log(src<a>))));
}

TEST_CASE("finite slopes: scores are pulled in parts, but for sums over channels, which take them whole",
          "[expression]") {
  STATIC_REQUIRE(is_open(leaky_relu(src<a> + dst<b>, 0.2)));
  STATIC_REQUIRE_FALSE(is_open(sqrt(src<a>)));
  STATIC_REQUIRE_FALSE(is_open(dot(src<a>, dst<b>)));
}
