// Runs of user functors on the device, for a host compiler to check.
#pragma once

#include <vector>

namespace edgewise::testing {

/// What a kernel found for each element of three arrays [size], by the functors of functors.hpp.
template <class T>
struct functor_results {
  std::vector<T> value;   // tanh(a * b + c)
  std::vector<T> pull_a;  // derivatives of that for an adjoint of 2, by dual numbers
  std::vector<T> pull_b;
  std::vector<T> pull_c;
  std::vector<T> basis;         // radial_basis{0.5, 0.25} of a
  std::vector<T> interpolated;  // between a and b at |c| to the power 1.5
  std::vector<T> own_pull;      // x^2 y by x at (a, b) for an adjoint of 2, by its own pull
};

/// Shapes: a, b, c [size]. Waits for the device.
functor_results<float> run_functors(std::vector<float> const& a, std::vector<float> const& b,
                                    std::vector<float> const& c);
functor_results<double> run_functors(std::vector<double> const& a, std::vector<double> const& b,
                                     std::vector<double> const& c);

}  // namespace edgewise::testing
