#include "models/pna.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

/// One layer; parameters from `first`: M, U, U of the aggregates and of them scaled by either scale, b.
dense_rows layer(test_graph const& graph, dense_rows const& x, dense_parameters const& p, std::size_t first) {
  auto const sources = sources_of(graph, false);
  dense_rows const messages = product(x, p[first]);
  int const width = messages.width;
  double delta = 0;
  for (auto const& row : sources) delta += std::log(1.0 + static_cast<double>(row.size())) / x.count();
  // The vertex itself and three copies of the four aggregates, scaled; all matrices of U one below the other.
  dense_rows rows = zeros(x.count(), x.width + 12 * width), matrix{p[first + 1].width, {}};
  for (std::size_t k = 1; k <= 4; ++k) {
    matrix.elements.insert(matrix.elements.end(), p[first + k].elements.begin(), p[first + k].elements.end());
  }
  for (int v = 0; v < x.count(); ++v) {
    auto const& from = sources[static_cast<std::size_t>(v)];
    auto const degree = static_cast<double>(from.size());
    for (int i = 0; i < x.width; ++i) rows.at(v, i) = x.at(v, i);
    if (from.empty()) continue;
    for (int i = 0; i < width; ++i) {
      double total = 0, squares = 0, largest = messages.at(from[0], i), least = largest;
      for (int const u : from) {
        double const m = messages.at(u, i);
        total += m, largest = std::max(largest, m), least = std::min(least, m);
      }
      for (int const u : from) squares += std::pow(messages.at(u, i) - total / degree, 2);
      double const aggregates[] = {total / degree, largest, least, std::sqrt(squares / degree + 1e-5)};
      double const scales[] = {1, std::log(1 + degree) / delta, delta / std::log(1 + degree)};
      for (int s = 0; s < 3; ++s) {
        for (int k = 0; k < 4; ++k) rows.at(v, x.width + (4 * s + k) * width + i) = scales[s] * aggregates[k];
      }
    }
  }
  return add(product(rows, matrix), p[first + 5], same);
}
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  dense_rows hidden = layer(graph, x, p, 0);
  for (double& value : hidden.elements) value = ramp(value);
  return layer(graph, hidden, p, 6);
}

TEST_CASE("pna: its formula, gradients, inference and errors", "[models]") {
  check_model<models::pna>("pna", {1}, formula);
}
TEST_CASE("pna: trains", "[models]") { check_training<models::pna>(); }

TEST_CASE("pna: scales of vertices", "[models]") {
  host_context const context;
  using graph_type = models::scaled_graph<double, host_context>;
  auto const edges = make_test_graph("fan", 3, 3, {{0, 1}, {2, 1}, {1, 2}});  // in-degrees 0, 2, 1
  double const delta = (std::log(3.0) + std::log(2.0)) / 3;
  auto const check = [](graph_type const& graph, double mean) {
    double const logs[] = {0, std::log(3.0), std::log(2.0)};
    for (int v = 0; v < 3; ++v) {
      CHECK(graph.amplification()[v] == Approx(logs[v] / mean));
      CHECK(graph.attenuation()[v] == Approx(mean / (v == 0 ? std::log(2.0) : logs[v])));
    }
  };
  check({context, edges.csr(), edges.csc()}, delta);
  check({context, edges.csr(), edges.csc(), 0.7}, 0.7);
  CHECK_THROWS_WITH(graph_type(context, edges.csr(), edges.csc(), 0.0),
                    "scaled_graph: the mean log-degree is 0, must be above 0");
  CHECK(graph_type(context, csr_view<>{}, csc_view<>{}).num_vertices() == 0);
  auto const alone = no_edges(2);
  CHECK(graph_type(context, alone.csr(), alone.csc()).amplification()[1] == 0);
}

}  // namespace
}  // namespace edgewise::testing
