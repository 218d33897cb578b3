// Gradients checked without any derivative: central differences of a loss, and the adjoint identity.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

#include "../support/random.hpp"
#include "operands.hpp"

namespace edgewise::reference {

/// A derivative as difference quotients tell it, with how far two step sizes disagree (wide at a kink).
struct quotient {
  double value = 0;
  double uncertainty = 0;
  double rounding = 0;  // the part of the uncertainty that every quotient of this loss and step has

  /// Whether the quotient is good to judge derivatives of about `size` by. A derivative of 0 is told by rounding alone.
  bool is_certain(double size) const { return uncertainty <= 1e-3 * size + 2 * rounding; }
};

/// The derivative at 0 of loss(t): fourth-order central differences of step `step` and `step` / 2.
/// The uncertainty also covers a kink at 0 itself (a tie of max, relu at 0), which central differences alone average.
/// `loss_magnitude` is what rounding errors of the loss are proportional to.
template <class Loss>
quotient central_difference(Loss&& loss, double step, double loss_magnitude) {
  double const middle = loss(0.0);
  double const up = loss(step), down = loss(-step);
  double const half_up = loss(step / 2), half_down = loss(-step / 2);
  double const coarse = (up - down) / (2 * step);
  double const fine = (half_up - half_down) / step;
  double const coarse_bend = (up - 2 * middle + down) / step;  // O(step) where smooth, the jump of slopes at a kink
  double const fine_bend = (half_up - 2 * middle + half_down) / (step / 2);
  double const rounding = 16 * 0x1p-52 * loss_magnitude / step;
  double const disagreement = std::abs(fine - coarse) + std::abs(2 * fine_bend - coarse_bend);
  return {(4 * fine - coarse) / 3, disagreement + rounding, rounding};
}

/// <g, y> and the sum of absolute terms. Throws `invalid_argument` when the sizes differ.
inline std::pair<double, double> inner_product(std::vector<double> const& g, std::vector<double> const& y) {
  if (g.size() != y.size()) {
    throw invalid_argument(edgewise::detail::text("inner_product: g has ", g.size(), " elements, y has ", y.size()));
  }
  double sum = 0, magnitude = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    sum += g[i] * y[i];
    magnitude += std::abs(g[i] * y[i]);
  }
  return {sum, magnitude};
}

/// All of 0 .. size - 1 when there are at most `max_count`, else a sorted random sample of that many.
inline std::vector<std::size_t> sample_elements(std::size_t size, std::size_t max_count,
                                                testing::random_stream& random) {
  std::vector<std::size_t> elements(size);
  for (std::size_t i = 0; i < size; ++i) elements[i] = i;
  if (size <= max_count) return elements;
  for (std::size_t i = 0; i < max_count; ++i) {
    std::swap(elements[i], elements[i + static_cast<std::size_t>(random.uniform() * static_cast<double>(size - i))]);
  }
  elements.resize(max_count);
  std::sort(elements.begin(), elements.end());
  return elements;
}

/// What a gradient check found; true when nothing is wrong and most elements could be judged.
struct gradient_check {
  std::size_t num_checked = 0;
  std::size_t num_at_kinks = 0;  // elements whose quotients are too uncertain to judge
  std::size_t num_bad = 0;
  std::size_t first_bad_operand = 0;
  std::size_t first_bad = 0;
  double difference_quotient = 0;  // these two are the first bad element's
  double gradient = 0;

  explicit operator bool() const { return num_bad == 0 && 10 * num_at_kinks <= num_checked; }

  friend std::ostream& operator<<(std::ostream& stream, gradient_check const& x) {
    stream << x.num_checked << " elements checked, " << x.num_at_kinks << " at kinks, " << x.num_bad << " wrong";
    if (x.num_bad > 0) {
      stream << "; the first is [" << x.first_bad << "] of operand " << x.first_bad_operand << ": difference quotient "
             << x.difference_quotient << ", gradient " << x.gradient;
    }
    return stream;
  }
};

/// How closely gradients must follow difference quotients.
struct gradient_rule {
  double step = 1e-3;             // moves one element by this
  double relative = 1e-9;         // of the largest quotient of the operand; for float gradients take 1e-4
  std::size_t max_elements = 64;  // of each operand: all when it has no more, else a random sample
};

/// Checks gradients = d<g, f(inputs)> / d inputs against central differences.
/// `f` maps operands to outputs in float64; `gradients` has the shapes of `inputs`.
template <class Function>
gradient_check check_gradient(Function&& f, operands const& inputs, operands const& gradients,
                              std::vector<double> const& g, testing::random_stream& random,
                              gradient_rule const& rule = {}) {
  gradient_check result;
  operands moved = inputs;
  double const magnitude = inner_product(g, f(inputs)).second;
  for (std::size_t operand = 0; operand < inputs.size(); ++operand) {
    auto const& gradient = gradients.at(operand);
    if (gradient.size() != inputs[operand].size()) {
      throw invalid_argument(edgewise::detail::text("check_gradient: operand ", operand, " has ",
                                                    inputs[operand].size(), " elements, its gradient ",
                                                    gradient.size()));
    }
    auto const elements = sample_elements(inputs[operand].size(), rule.max_elements, random);
    std::vector<quotient> quotients;
    double largest = 0;
    for (std::size_t element : elements) {
      double const start = inputs[operand][element];
      auto loss = [&](double t) {
        moved[operand][element] = start + t;
        return inner_product(g, f(moved)).first;
      };
      quotients.push_back(central_difference(loss, rule.step, magnitude));
      moved[operand][element] = start;
      largest = std::max(largest, std::abs(quotients.back().value));
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      ++result.num_checked;
      quotient const& q = quotients[i];
      double const error = std::abs(gradient[elements[i]] - q.value);
      if (error <= q.uncertainty + rule.relative * largest && q.is_certain(largest)) continue;
      if (std::isfinite(error) && !q.is_certain(largest)) {
        ++result.num_at_kinks;
        continue;
      }
      if (result.num_bad++ == 0) {
        result.first_bad_operand = operand;
        result.first_bad = elements[i];
        result.difference_quotient = q.value;
        result.gradient = gradient[elements[i]];
      }
    }
  }
  return result;
}

/// Both sides of <g, J v> = <J^T g, v> for one direction v.
struct adjoint_identity {
  quotient forward;     // <g, J v> by central differences along v
  double backward = 0;  // <gradients, v>
  double tolerance = 0;
  double scale = 0;  // sum of |gradients * v|

  /// False where the direction crosses a kink: then other inputs must be drawn.
  bool is_conclusive() const { return forward.is_certain(scale); }

  /// False where the two sides differ, and where that cannot be told.
  explicit operator bool() const {
    return std::abs(forward.value - backward) <= tolerance + forward.uncertainty && is_conclusive();
  }

  friend std::ostream& operator<<(std::ostream& stream, adjoint_identity const& x) {
    return stream << "<g, J v> = " << x.forward.value << " +- " << x.forward.uncertainty
                  << ", <J^T g, v> = " << x.backward << ", tolerance " << x.tolerance;
  }
};

/// Checks every element of `gradients` at once, along a random normal direction: two evaluations per step size,
/// whatever the size. `relative` is the tolerance as a part of sum |gradients * v|; for float gradients take 1e-4. The
/// step is small, because a direction that moves everything crosses the kinks of everything.
template <class Function>
adjoint_identity check_adjoint(Function&& f, operands const& inputs, operands const& gradients,
                               std::vector<double> const& g, testing::random_stream& random, double relative = 1e-9,
                               double step = 1e-6) {
  operands direction = inputs;
  adjoint_identity result;
  for (std::size_t operand = 0; operand < inputs.size(); ++operand) {
    testing::fill_normal(direction[operand], random);
    auto const [product, magnitude] = inner_product(gradients.at(operand), direction[operand]);
    result.backward += product;
    result.scale += magnitude;
  }
  operands moved = inputs;
  auto loss = [&](double t) {
    for (std::size_t operand = 0; operand < inputs.size(); ++operand) {
      for (std::size_t i = 0; i < inputs[operand].size(); ++i) {
        moved[operand][i] = inputs[operand][i] + t * direction[operand][i];
      }
    }
    return inner_product(g, f(moved)).first;
  };
  result.forward = central_difference(loss, step, inner_product(g, f(inputs)).second);
  result.tolerance = relative * result.scale;
  return result;
}

}  // namespace edgewise::reference
