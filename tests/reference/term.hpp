// What one edge contributes to a reference, in float64.
//
// The references of this folder are naive: they follow the definitions, in float64, on lists of edges, and share no
// code with the library. They return `expected_values` (support/tolerance.hpp): beside each value the sum of the
// absolute values of its terms and their number, which is what tolerances are made of. Inputs are the stored (rounded)
// values.
#pragma once

#include <cmath>

namespace edgewise::reference {

/// A message's value, and the same expression with every term taken absolutely: its rounding error is a few eps of
/// that.
struct term {
  double value = 0;
  double magnitude = 0;

  term() = default;
  term(double x) : value(x), magnitude(std::abs(x)) {}
  term(double x, double absolute) : value(x), magnitude(absolute) {}
};

}  // namespace edgewise::reference
