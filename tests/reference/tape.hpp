// Reverse differentiation in float64: a tape of what was computed, walked backwards.
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "term.hpp"

namespace edgewise::reference {

class tape;

/// A number on a tape (a constant when on none), with the magnitude of `term`.
struct variable {
  double value = 0;
  double magnitude = 0;
  tape* owner = nullptr;
  int node = -1;

  variable() = default;
  variable(double constant) : value(constant), magnitude(std::abs(constant)) {}
  variable(term const& constant) : value(constant.value), magnitude(constant.magnitude) {}
  variable(term const& result, tape* on, int at)
      : value(result.value), magnitude(result.magnitude), owner(on), node(at) {}

  operator term() const { return {value, magnitude}; }
};

/// Records operations; `pull` pushes an adjoint from a result to the leaves.
class tape {
public:
  /// A result's derivative by one of its arguments; its magnitude as in `term`.
  struct partial {
    variable const* argument;
    term derivative;
  };

  /// A leaf: `pull` will report to it under `id`.
  variable leaf(double value, std::size_t id) {
    variable const x = record(value, nullptr, 0);
    nodes_.back().leaf = static_cast<std::ptrdiff_t>(id);
    return x;
  }

  /// The result of an operation with these derivatives; arguments that are constants are left out.
  variable record(term const& result, partial const* partials, std::size_t num_partials) {
    node added{.first_link = links_.size()};
    for (std::size_t i = 0; i < num_partials; ++i) {
      if (partials[i].argument->owner != nullptr)
        links_.push_back({partials[i].argument->node, partials[i].derivative});
    }
    added.num_links = links_.size() - added.first_link;
    nodes_.push_back(added);
    return {result, this, static_cast<int>(nodes_.size()) - 1};
  }

  /// Calls sink(leaf_id, adjoint) once for every leaf that `result` was computed from, where adjoint = seed *
  /// d result / d leaf and its magnitude is the sum over all paths of the absolute products.
  template <class Sink>
  void pull(variable const& result, double seed, Sink&& sink) const {
    if (result.owner != this) return;
    std::vector<term> adjoint(result.node + 1, term(0));
    std::vector<bool> reached(result.node + 1, false);
    adjoint[result.node] = seed;
    reached[result.node] = true;
    for (int at = result.node; at >= 0; --at) {
      if (!reached[at]) continue;
      node const& from = nodes_[at];
      if (from.leaf >= 0) sink(static_cast<std::size_t>(from.leaf), adjoint[at]);
      for (std::size_t i = from.first_link; i < from.first_link + from.num_links; ++i) {
        term& to = adjoint[links_[i].argument];
        to.value += adjoint[at].value * links_[i].derivative.value;
        to.magnitude += adjoint[at].magnitude * links_[i].derivative.magnitude;
        reached[links_[i].argument] = true;
      }
    }
  }

  /// Forgets everything; variables of before are void.
  void clear() {
    nodes_.clear();
    links_.clear();
  }

private:
  struct link {
    int argument;
    term derivative;
  };
  struct node {
    std::size_t first_link = 0;
    std::size_t num_links = 0;
    std::ptrdiff_t leaf = -1;
  };

  std::vector<node> nodes_;
  std::vector<link> links_;
};

/// The result of an operation on variables: on the tape of its arguments, or a constant when all of them are.
inline variable operation(term const& result, std::initializer_list<tape::partial> partials) {
  for (tape::partial const& p : partials) {
    if (p.argument->owner != nullptr) return p.argument->owner->record(result, partials.begin(), partials.size());
  }
  return result;
}

/// f(x) from f, f' and f'' at x: errors of x reach the value through f' and the derivative through f''.
inline variable function_of(variable const& x, double f, double first, double second) {
  return operation({f, std::abs(f) + std::abs(first) * x.magnitude},
                   {{&x, {first, std::abs(first) + std::abs(second) * x.magnitude}}});
}

inline variable operator+(variable const& a, variable const& b) {
  return operation({a.value + b.value, a.magnitude + b.magnitude}, {{&a, 1.0}, {&b, 1.0}});
}
inline variable operator-(variable const& a, variable const& b) {
  return operation({a.value - b.value, a.magnitude + b.magnitude}, {{&a, 1.0}, {&b, -1.0}});
}
inline variable operator-(variable const& a) { return operation({-a.value, a.magnitude}, {{&a, -1.0}}); }
inline variable operator*(variable const& a, variable const& b) {
  return operation({a.value * b.value, a.magnitude * b.magnitude},
                   {{&a, {b.value, b.magnitude}}, {&b, {a.value, a.magnitude}}});
}
inline variable operator/(variable const& a, variable const& b) {
  double const x = b.value;
  return a * function_of(b, 1 / x, -1 / (x * x), 2 / (x * x * x));
}

inline variable exp(variable const& x) {
  double const f = std::exp(x.value);
  return function_of(x, f, f, f);
}
inline variable log(variable const& x) {
  return function_of(x, std::log(x.value), 1 / x.value, -1 / (x.value * x.value));
}
inline variable sqrt(variable const& x) {
  double const f = std::sqrt(x.value);
  return function_of(x, f, 0.5 / f, -0.25 / (f * x.value));
}
inline variable square(variable const& x) { return x * x; }
inline variable tanh(variable const& x) {
  double const f = std::tanh(x.value);
  return function_of(x, f, 1 - f * f, -2 * f * (1 - f * f));
}
inline variable sigmoid(variable const& x) {
  double const f = 1 / (1 + std::exp(-x.value));
  return function_of(x, f, f * (1 - f), f * (1 - f) * (1 - 2 * f));
}
inline variable silu(variable const& x) { return x * sigmoid(x); }
inline variable softplus(variable const& x) {
  double const s = 1 / (1 + std::exp(-x.value));
  return function_of(x, std::log1p(std::exp(x.value)), s, s * (1 - s));
}
inline variable gelu(variable const& x) {
  double const below = 0.5 * (1 + std::erf(x.value / std::sqrt(2.0)));
  double const density = std::exp(-0.5 * x.value * x.value) / std::sqrt(2 * std::acos(-1.0));
  return function_of(x, x.value * below, below + x.value * density, (2 - x.value * x.value) * density);
}
inline variable sin(variable const& x) {
  return function_of(x, std::sin(x.value), std::cos(x.value), -std::sin(x.value));
}
inline variable cos(variable const& x) {
  return function_of(x, std::cos(x.value), -std::sin(x.value), -std::cos(x.value));
}
inline variable pow(variable const& x, double p) {
  return function_of(x, std::pow(x.value, p), p * std::pow(x.value, p - 1), p * (p - 1) * std::pow(x.value, p - 2));
}
/// x for x > 0, else slope * x; the derivative at 0 is `slope`.
inline variable leaky_relu(variable const& x, double slope) {
  double const factor = x.value > 0 ? 1 : slope;
  return operation({factor * x.value, std::abs(factor) * x.magnitude}, {{&x, factor}});
}
inline variable relu(variable const& x) { return leaky_relu(x, 0); }
/// x for x > 0, else alpha * (exp(x) - 1).
inline variable elu(variable const& x, double alpha = 1) {
  if (x.value > 0) return leaky_relu(x, 1);
  double const f = alpha * std::exp(x.value);
  return function_of(x, alpha * std::expm1(x.value), f, f);
}
/// The derivative at 0 is 0.
inline variable abs(variable const& x) {
  double const sign = (x.value > 0) - (x.value < 0);
  return operation({std::abs(x.value), x.magnitude}, {{&x, sign}});
}
/// The first argument on ties.
inline variable maximum(variable const& a, variable const& b) { return b.value > a.value ? b : a; }
inline variable minimum(variable const& a, variable const& b) { return b.value < a.value ? b : a; }

}  // namespace edgewise::reference
