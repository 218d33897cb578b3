// The formulas of models by plain loops over rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// Rows of `width` elements.
struct dense_rows {
  int width;
  std::vector<double> elements;

  int count() const { return static_cast<int>(elements.size()) / width; }
  double& at(int row, int i) { return elements[static_cast<std::size_t>(row * width + i)]; }
  double at(int row, int i) const { return elements[static_cast<std::size_t>(row * width + i)]; }
};
inline dense_rows zeros(int count, int width) {
  return {width, std::vector<double>(static_cast<std::size_t>(count * width))};
}

using dense_parameters = std::vector<dense_rows>;
template <class Parameters>
dense_parameters read_parameters(Parameters& parameters) {
  dense_parameters result;
  for (std::size_t k = 0; k < parameters.count(); ++k) {
    auto const values = parameters.value(k);
    dense_rows rows{static_cast<int>(values.cols), {}};
    for (std::int64_t i = 0; i < values.size(); ++i)
      rows.elements.push_back(values.at(i / values.cols, i % values.cols));
    result.push_back(std::move(rows));
  }
  return result;
}

/// x times a matrix of x.width rows.
inline dense_rows product(dense_rows const& x, dense_rows const& matrix) {
  dense_rows y = zeros(x.count(), matrix.width);
  for (int row = 0; row < x.count(); ++row) {
    for (int i = 0; i < x.width; ++i) {
      for (int j = 0; j < matrix.width; ++j) y.at(row, j) += x.at(row, i) * matrix.at(i, j);
    }
  }
  return y;
}
/// Every row of x with `bias`, one row, added to it, through f.
template <class F>
dense_rows add(dense_rows x, dense_rows const& bias, F const& f) {
  for (int row = 0; row < x.count(); ++row) {
    for (int i = 0; i < x.width; ++i) x.at(row, i) = f(x.at(row, i) + bias.elements[static_cast<std::size_t>(i)]);
  }
  return x;
}
inline double same(double x) { return x; }
inline double ramp(double x) { return std::max(x, 0.0); }
inline double elu(double x) { return x > 0 ? x : std::expm1(x); }

/// The sources of the edges into each vertex, with the vertex itself where asked for.
inline std::vector<std::vector<int>> sources_of(test_graph const& graph, bool with_self) {
  std::vector<std::vector<int>> result(static_cast<std::size_t>(graph.num_destinations));
  for (std::size_t e = 0; e < graph.sources.size(); ++e) {
    result[static_cast<std::size_t>(graph.destinations[e])].push_back(graph.sources[e]);
  }
  for (int v = 0; with_self && v < graph.num_destinations; ++v) result[static_cast<std::size_t>(v)].push_back(v);
  return result;
}

/// Sums of x over edges and the vertex itself, weighed by weight(u, v).
template <class Weight>
dense_rows sum_with_self(test_graph const& graph, dense_rows const& x, Weight const& weight) {
  auto const sources = sources_of(graph, true);
  dense_rows y = zeros(graph.num_destinations, x.width);
  for (int v = 0; v < y.count(); ++v) {
    for (int const u : sources[static_cast<std::size_t>(v)]) {
      for (int i = 0; i < x.width; ++i) y.at(v, i) += weight(u, v) * x.at(u, i);
    }
  }
  return y;
}
/// Sums of x over edges and the vertex itself, each over the square roots of the degrees of both ends, itself counted.
inline dense_rows propagate(test_graph const& graph, dense_rows const& x) {
  std::vector<double> in(static_cast<std::size_t>(x.count()), 1.0), out = in;
  for (std::size_t e = 0; e < graph.sources.size(); ++e) {
    out[static_cast<std::size_t>(graph.sources[e])] += 1;
    in[static_cast<std::size_t>(graph.destinations[e])] += 1;
  }
  return sum_with_self(graph, x, [&](int u, int v) {
    return 1 / std::sqrt(out[static_cast<std::size_t>(u)] * in[static_cast<std::size_t>(v)]);
  });
}

/// Sums of values, rows of all heads side by side, weighed by the softmax of score(u, v, head).
template <class Score>
dense_rows attend(test_graph const& graph, bool with_self, dense_rows const& values, int heads, Score const& score) {
  auto const sources = sources_of(graph, with_self);
  dense_rows y = zeros(graph.num_destinations, values.width);
  int const channels = values.width / heads;
  for (int v = 0; v < y.count(); ++v) {
    for (int head = 0; head < heads; ++head) {
      double largest = -std::numeric_limits<double>::infinity(), total = 0;
      for (int const u : sources[static_cast<std::size_t>(v)]) largest = std::max(largest, score(u, v, head));
      for (int const u : sources[static_cast<std::size_t>(v)]) total += std::exp(score(u, v, head) - largest);
      for (int const u : sources[static_cast<std::size_t>(v)]) {
        double const weight = std::exp(score(u, v, head) - largest) / total;
        for (int i = head * channels; i < (head + 1) * channels; ++i) y.at(v, i) += weight * values.at(u, i);
      }
    }
  }
  return y;
}
/// The mean of the heads of each row.
inline dense_rows mean_of_heads(dense_rows const& x, int heads) {
  int const channels = x.width / heads;
  dense_rows y = zeros(x.count(), channels);
  for (int row = 0; row < x.count(); ++row) {
    for (int i = 0; i < x.width; ++i) y.at(row, i % channels) += x.at(row, i) / heads;
  }
  return y;
}
/// The inner product of a head of a row and one of another.
inline double dot(dense_rows const& x, int row, dense_rows const& y, int other, int head, int channels) {
  double total = 0;
  for (int i = head * channels; i < (head + 1) * channels; ++i) total += x.at(row, i) * y.at(other, i);
  return total;
}

}  // namespace edgewise::testing
