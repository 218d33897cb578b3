#include "models/gatv2.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: matrices of sources and destinations, the attention vector and the bias of each layer.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int output_heads) {
  auto const layer = [&](dense_rows const& rows, std::size_t first, int heads) {
    auto const left = product(rows, p[first]), right = product(rows, p[first + 1]);
    int const channels = left.width / heads;
    return attend(graph, true, left, heads, [&, channels](int u, int v, int head) {
      double total = 0;
      for (int i = head * channels; i < (head + 1) * channels; ++i) {
        double const sum = left.at(u, i) + right.at(v, i);
        total += p[first + 2].elements[static_cast<std::size_t>(i)] * (sum > 0 ? sum : 0.2 * sum);
      }
      return total;
    });
  };
  auto const last = layer(add(layer(x, 0, 2), p[3], elu), 4, output_heads);
  return add(mean_of_heads(last, output_heads), p[7], same);
}

TEST_CASE("gatv2: its formula, gradients, inference and errors", "[models]") {
  check_model<models::gatv2>("gatv2", {1, 2}, formula);
}
TEST_CASE("gatv2: trains", "[models]") { check_training<models::gatv2>(); }

}  // namespace
}  // namespace edgewise::testing
