#include "models/gt.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: matrices of queries, keys, values and the vertex itself, the bias of queries, of the first layer, then of
// the second; both biases.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int output_heads) {
  auto const layer = [&](dense_rows const& rows, std::size_t first, int heads) {
    auto const query = add(product(rows, p[first]), p[first + 4], same), key = product(rows, p[first + 1]);
    int const channels = key.width / heads;
    auto sum = attend(graph, false, product(rows, p[first + 2]), heads, [&, channels](int u, int v, int head) {
      return dot(query, v, key, u, head, channels) / std::sqrt(static_cast<double>(channels));
    });
    auto const own = product(rows, p[first + 3]);
    for (std::size_t i = 0; i < sum.elements.size(); ++i) sum.elements[i] += own.elements[i];
    return sum;
  };
  auto const last = layer(add(layer(x, 0, 2), p[10], elu), 5, output_heads);
  return add(mean_of_heads(last, output_heads), p[11], same);
}

TEST_CASE("gt: its formula, gradients, inference and errors", "[models]") {
  check_model<models::gt>("gt", {1, 2}, formula);
}
TEST_CASE("gt: trains", "[models]") { check_training<models::gt>(); }

}  // namespace
}  // namespace edgewise::testing
