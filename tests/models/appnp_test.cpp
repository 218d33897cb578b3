#include "models/appnp.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

template <class T, class Context>
using three_hops = models::program_model<T, Context, models::appnp_architecture_of<3>>;

// Parameters: W0, b0, W1, b1.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const prediction = add(product(add(product(x, p[0]), p[1], ramp), p[2]), p[3], same);
  dense_rows z = prediction;
  for (int hop = 0; hop < 3; ++hop) {
    z = propagate(graph, z);
    for (std::size_t i = 0; i < z.elements.size(); ++i) {
      z.elements[i] = 0.9 * z.elements[i] + 0.1 * prediction.elements[i];
    }
  }
  return z;
}

TEST_CASE("appnp: its formula, gradients, inference and errors", "[models]") {
  check_model<three_hops>("appnp", {1, 3}, formula);
}
TEST_CASE("appnp: trains", "[models]") { check_training<three_hops>(); }

}  // namespace
}  // namespace edgewise::testing
