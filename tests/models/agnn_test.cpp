#include "models/agnn.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W0, b0, beta, W1, b1.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const step = [&](dense_rows const& rows, double beta) {
    return attend(graph, true, rows, 1, [&, beta](int u, int v, int) {
      double const tiny = 1e-12;  // what the model adds to squares, for rows of 0
      double const squares =
          (dot(rows, u, rows, u, 0, rows.width) + tiny) * (dot(rows, v, rows, v, 0, rows.width) + tiny);
      return beta * dot(rows, u, rows, v, 0, rows.width) / std::sqrt(squares);
    });
  };
  auto const hidden = add(product(x, p[0]), p[1], ramp);
  return add(product(step(step(hidden, 1), p[2].elements[0]), p[3]), p[4], same);
}

TEST_CASE("agnn: its formula, gradients, inference and errors", "[models]") {
  check_model<models::agnn>("agnn", {1}, formula);
}
TEST_CASE("agnn: trains", "[models]") { check_training<models::agnn>(); }

}  // namespace
}  // namespace edgewise::testing
