// What tests of attention layers share: masks from their definition, comparisons of a layer with its formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/core/random.hpp>

#include "support/catch.hpp"

#include "support/mask.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

using elements = std::vector<double>;

constexpr random_state mask_state{123, 9};
constexpr int attention_stream = 6;
constexpr int result_stream = 7;

/// What dropout of probability p multiplies an element by.
inline double mask(int stream, random_owner owner, int number, int element, double p) {
  return mask_factor(mask_state, stream, owner, static_cast<std::uint64_t>(number), element, p);
}

inline void check_equal(elements const& actual, elements const& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CHECK(actual[i] == Approx(expected[i]).epsilon(1e-11).margin(1e-11));
  }
}

/// Compares `gradient` with central differences of <dy, formula> by one operand of the formula.
template <class Formula>
void check_gradient(elements const& gradient, Formula at, elements Formula::*operand, elements const& dy) {
  auto const product = [&] {
    elements const y = at();
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += dy[i] * y[i];
    return sum;
  };
  REQUIRE(gradient.size() == (at.*operand).size());
  double const step = 1e-6;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& element = (at.*operand)[i];
    double const value = element;
    element = value + step;
    double const above = product();
    element = value - step;
    double const below = product();
    element = value;
    CHECK(gradient[i] == Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-7));
  }
}

inline elements random_elements(random_stream& random, int size) {
  elements result;
  for (int i = 0; i < size; ++i) result.push_back(random.uniform(-1, 1));
  return result;
}

}  // namespace edgewise::testing
