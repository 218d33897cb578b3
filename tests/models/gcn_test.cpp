#include "models/gcn.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W0, b0, W1, b1.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const hidden = add(propagate(graph, product(x, p[0])), p[1], ramp);
  return add(propagate(graph, product(hidden, p[2])), p[3], same);
}

TEST_CASE("gcn: its formula, gradients, inference and errors", "[models]") {
  check_model<models::gcn>("gcn", {1}, formula);
}
TEST_CASE("gcn: trains", "[models]") { check_training<models::gcn>(); }

TEST_CASE("gcn: weight decay is for the first layer", "[models]") {
  model_problem<models::gcn<double, host_context>> p(symmetric(), 0.0, random_stream("gcn decay"));
  auto& parameters = p.model.all_parameters();
  CHECK(p.model.num_decayed() == parameters.value(2).data - parameters.values());  // behind W0 and b0
}

}  // namespace
}  // namespace edgewise::testing
