// Histograms of degrees against the degrees themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/mapping/degree_histogram.hpp>

#include "mapped.hpp"

namespace edgewise::testing {

/// Rows of fewer than 4096 edges, whose quantiles are exact, and one row of more.
inline std::vector<test_graph> graphs_of_degrees() {
  auto graphs = mapping_graphs();
  graphs.push_back(one_hub(9000));
  return graphs;
}

inline void check_histogram(degree_histogram const& histogram, test_graph const& graph) {
  std::vector<std::int64_t> degrees;
  std::array<std::int64_t, 65> digits{};
  for (int row = 0; row < graph.num_destinations; ++row) {
    degrees.push_back(graph.by_destination.degree(row));
    ++digits[degrees.back() == 0 ? 0 : static_cast<std::size_t>(std::floor(std::log2(degrees.back()))) + 1];
  }
  std::sort(degrees.begin(), degrees.end());
  CHECK(histogram.work().num_rows == graph.num_destinations);
  CHECK(histogram.work().num_edges == graph.num_edges());
  CHECK(histogram.by_digits() == digits);
  CHECK(histogram.max_degree() == (degrees.empty() ? 0 : degrees.back()));
  for (std::int64_t const longest : {1, 7, 64, 1000}) {
    INFO("cut at " << longest);
    std::int64_t pieces = 0;
    for (std::int64_t const degree : degrees) pieces += degree > longest ? (degree + longest - 1) / longest : 0;
    CHECK(histogram.num_pieces(longest) == pieces);
  }
  double variance = 0;
  double const mean =
      degrees.empty() ? 0 : static_cast<double>(graph.num_edges()) / static_cast<double>(degrees.size());
  for (std::int64_t const degree : degrees) variance += (degree - mean) * (degree - mean);
  double const deviation = degrees.empty() ? 0 : std::sqrt(variance / static_cast<double>(degrees.size()));
  if (degrees.empty() || degrees.back() < 4096) CHECK(histogram.deviation() == Approx(deviation).margin(1e-6));
  for (double const q : {0.0, 0.25, 0.5, 0.99, 1.0}) {
    INFO("quantile " << q);
    auto const wanted = static_cast<std::size_t>(std::ceil(q * static_cast<double>(degrees.size())));
    std::int64_t const expected = degrees.empty() ? 0 : degrees[wanted > 0 ? wanted - 1 : 0];
    CHECK(histogram.quantile(q) == expected);
  }
}

}  // namespace edgewise::testing
