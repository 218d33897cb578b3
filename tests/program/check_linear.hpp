// Judges results of linear_cases.hpp: values against loops in float64, gradients against differences of those.
#pragma once

#include <cmath>
#include <utility>

#include "linear_cases.hpp"
#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

/// In [-1, 1], floats, or multiples of 1 / 32, which 16 bits hold.
inline std::vector<double> draw_rows(std::size_t size, random_stream& random, bool in_16_bits = false) {
  std::vector<double> values(size);
  for (double& x : values) {
    double const drawn = 2 * random.uniform() - 1;
    x = in_16_bits ? std::round(32 * drawn) / 32 : static_cast<float>(drawn);
  }
  return values;
}

/// Counts values that are off by more than `relative` of the largest expected one, or of 1.
inline int count_far(std::vector<double> const& found, std::vector<double> const& expected, double relative) {
  if (found.size() != expected.size()) return -1;
  double scale = 1;
  for (double x : expected) scale = std::max(scale, std::abs(x));
  int far = 0;
  for (std::size_t i = 0; i < found.size(); ++i) far += !(std::abs(found[i] - expected[i]) <= relative * scale);
  return far;
}

/// d loss / d operand k by central differences, loss = <adjoint, value>.
template <class Case>
std::vector<double> difference_gradient(test_graph const& graph, linear_inputs in, std::size_t k,
                                        std::vector<double> const& adjoint) {
  auto const loss = [&] {
    auto const value = Case::reference(graph, in);
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) sum += value[i] * adjoint[i];
    return sum;
  };
  constexpr double step = 1e-6;
  std::vector<double> gradient;
  for (double& x : in[k]) {
    double const at = x;
    x = at + step;
    double const above = loss();
    x = at - step;
    gradient.push_back((above - loss()) / (2 * step));
    x = at;
  }
  return gradient;
}

/// Runs a case on graphs; run(graph, inputs, adjoint) returns a `linear_result`, right to `relative`.
template <class Case, class Run>
void check_linear(Run const& run, double relative, bool in_16_bits = false) {
  for (auto const& graph : {no_vertices(), no_edges(3), self_loop(), multi_edges(), isolated_vertices(),
                            bipartite(11, 7, 0.4), one_hub(90, 12)}) {
    if (needs_square<Case>() && !graph.is_square()) continue;
    INFO(Case::name << " on " << graph.name);
    random_stream random("linear: " + graph.name);
    linear_inputs in = [&]<class... Operand>(std::tuple<Operand...>*) {
      return linear_inputs{draw_rows(Operand::size(graph), random, in_16_bits)...};
    }(static_cast<typename Case::operands*>(nullptr));
    auto const adjoint = draw_rows(linear_out_size<Case>(graph), random, in_16_bits);
    linear_result const found = run(graph, in, adjoint);
    CHECK(count_far(found.out, Case::reference(graph, in), relative) == 0);
    for (std::size_t k = 0; k < in.size(); ++k) {
      INFO("gradient of operand " << k);
      CHECK(count_far(found.gradients[k], difference_gradient<Case>(graph, in, k, adjoint), relative) == 0);
    }
  }
}

}  // namespace edgewise::testing
