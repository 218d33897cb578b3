// Laws of an elementwise operation at one point: its value, its partial derivatives and what these read.
#pragma once

// Dual numbers come first: the operations' own text finds the functions that were declared before it.
#include <edgewise/expression/dual.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "support/catch.hpp"

#include <edgewise/program/needs.hpp>

#include "../reference/finite_difference.hpp"

namespace edgewise::testing {

namespace detail {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// NaN for what `pull<I>` declares not to read; bit j of `mask` is argument j.
inline double unless_read(unsigned mask, int j, double x) { return (mask >> j & 1u) != 0 ? x : not_a_number; }

template <int I, class Op, int... J, class... X>
void check_partial(Op const& op, bool smooth, std::integer_sequence<int, J...>, X... x) {
  INFO("derivative by argument " << I);
  double const adjoint = -1.75;
  double const result = op.value(x...);
  double const pulled = op.template pull<I>(adjoint, result, x...);

  auto const forward = op.value(dual<double>(x, I == J ? 1 : 0)...);
  CHECK(forward.value == result);
  CHECK(pulled == Approx(adjoint * forward.derivative).epsilon(1e-13).margin(1e-15));

  if (smooth) {
    auto const slope = reference::central_difference([&](double t) { return op.value((x + (I == J ? t : 0))...); },
                                                     1e-4, std::abs(result));
    REQUIRE(slope.is_certain(std::abs(forward.derivative)));
    CHECK(std::abs(pulled - adjoint * slope.value) <= 2 * slope.uncertainty + 1e-10 * std::abs(pulled));
  }

  constexpr unsigned mask = edgewise::detail::partial_reads<Op, I>();
  bool const reads_result = (mask & edgewise::reads_result) != 0;
  CHECK(op.template pull<I>(adjoint, reads_result ? result : not_a_number, unless_read(mask, J, x)...) == pulled);

  float const in_float =
      op.template pull<I>(static_cast<float>(adjoint), static_cast<float>(result), static_cast<float>(x)...);
  CHECK(static_cast<double>(in_float) == Approx(pulled).epsilon(1e-5).margin(1e-6));
}

template <class Op, int... I, class... X>
void check_partials(Op const& op, bool smooth, std::integer_sequence<int, I...> arguments, X... x) {
  (check_partial<I>(op, smooth, arguments, x...), ...);
}

}  // namespace detail

/// Checks `op` at x...: the value against `expected`, in double and float; each `pull` against dual numbers, against
/// central differences, and for not reading what it says it does not.
template <class Op, class... X>
void check_smooth(Op const& op, double expected, X... x) {
  INFO("operation " << Op::name << " at " << ((std::to_string(x) + " ") + ...));
  CHECK(op.value(x...) == Approx(expected).epsilon(1e-14).margin(1e-15));
  CHECK(static_cast<double>(op.value(static_cast<float>(x)...)) == Approx(expected).epsilon(1e-5).margin(1e-6));
  detail::check_partials(op, true, std::make_integer_sequence<int, sizeof...(X)>{}, x...);
}

/// Checks `op` at a kink, where central differences tell nothing: the convention is in the test that calls.
template <class Op, class... X>
void check_kink(Op const& op, double expected, X... x) {
  INFO("operation " << Op::name << " at the kink " << ((std::to_string(x) + " ") + ...));
  CHECK(op.value(x...) == expected);
  detail::check_partials(op, false, std::make_integer_sequence<int, sizeof...(X)>{}, x...);
}

}  // namespace edgewise::testing
