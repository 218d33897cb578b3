#include "models/gcn.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W0, b0, W1, b1.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p) {
  auto const hidden = add(propagate(graph, product(x, p[0])), p[1], ramp);
  return add(propagate(graph, product(hidden, p[2])), p[3], same);
}

TEST_CASE("gcn: its formula, gradients, inference and errors", "[models]") { check_model<models::gcn>("gcn", formula); }
TEST_CASE("gcn: trains", "[models]") { check_training<models::gcn>(); }

}  // namespace
}  // namespace edgewise::testing
