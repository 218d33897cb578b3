#include "models/gin.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: eps, A, a, B, b of each layer.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const layer = [&](dense_rows const& rows, std::size_t first) {
    auto const sum = sum_with_self(graph, rows, [](int, int) { return 1.0; });
    dense_rows combined = rows;
    for (std::size_t i = 0; i < rows.elements.size(); ++i) {
      combined.elements[i] = sum.elements[i] + p[first].elements[0] * rows.elements[i];
    }
    auto const hidden = add(product(combined, p[first + 1]), p[first + 2], ramp);
    return add(product(hidden, p[first + 3]), p[first + 4], same);
  };
  dense_rows hidden = layer(x, 0);
  for (double& value : hidden.elements) value = ramp(value);
  return layer(hidden, 5);
}

TEST_CASE("gin: its formula, gradients, inference and errors", "[models]") {
  check_model<models::gin>("gin", {1}, formula);
}
// Sums of many neighbors are large from the first step on.
TEST_CASE("gin: trains", "[models]") { check_training<models::gin>(0.5); }

}  // namespace
}  // namespace edgewise::testing
