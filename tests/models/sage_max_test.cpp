#include "models/sage_max.hpp"

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: P, p, both halves of W and b of each layer.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const sources = sources_of(graph, false);
  auto const layer = [&](dense_rows const& rows, std::size_t first) {
    auto const pool = add(product(rows, p[first]), p[first + 1], ramp);
    dense_rows largest = zeros(rows.count(), pool.width);  // what a ramp gives is never below 0
    for (int v = 0; v < rows.count(); ++v) {
      for (int const u : sources[static_cast<std::size_t>(v)]) {
        for (int i = 0; i < pool.width; ++i) largest.at(v, i) = std::max(largest.at(v, i), pool.at(u, i));
      }
    }
    dense_rows result = product(rows, p[first + 2]);
    dense_rows const of_neighbors = product(largest, p[first + 3]);
    for (std::size_t i = 0; i < result.elements.size(); ++i) result.elements[i] += of_neighbors.elements[i];
    return add(result, p[first + 4], same);
  };
  dense_rows hidden = layer(x, 0);
  for (double& value : hidden.elements) value = ramp(value);
  return layer(hidden, 5);
}

TEST_CASE("sage_max: its formula, gradients, inference and errors", "[models]") {
  check_model<models::sage_max>("sage_max", {1}, formula);
}
TEST_CASE("sage_max: trains", "[models]") { check_training<models::sage_max>(); }

}  // namespace
}  // namespace edgewise::testing
