#include "models/gat.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W, both halves of the attention vector, of the first layer, then of the second; both biases.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int output_heads) {
  auto const layer = [&](dense_rows const& rows, std::size_t first, int heads) {
    auto const z = product(rows, p[first]);
    int const channels = z.width / heads;
    dense_rows const left{z.width, p[first + 1].elements}, right{z.width, p[first + 2].elements};
    return attend(graph, true, z, heads, [&, channels](int u, int v, int head) {
      double const score = dot(z, u, left, 0, head, channels) + dot(z, v, right, 0, head, channels);
      return score > 0 ? score : 0.2 * score;
    });
  };
  auto const last = layer(add(layer(x, 0, 2), p[6], elu), 3, output_heads);
  return add(mean_of_heads(last, output_heads), p[7], same);
}

TEST_CASE("gat: its formula, gradients, inference and errors", "[models]") {
  check_model<models::gat>("gat", {1, 2}, formula);
}
TEST_CASE("gat: trains", "[models]") { check_training<models::gat>(); }

}  // namespace
}  // namespace edgewise::testing
