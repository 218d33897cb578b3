#include "models/sgc.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W, b.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  return add(product(propagate(graph, propagate(graph, x)), p[0]), p[1], same);
}

TEST_CASE("sgc: its formula, gradients, inference and errors", "[models]") {
  check_model<models::sgc>("sgc", {0}, formula);
}
TEST_CASE("sgc: trains", "[models]") { check_training<models::sgc>(); }

}  // namespace
}  // namespace edgewise::testing
