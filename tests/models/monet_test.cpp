#include "models/monet.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W, p, r, c, means, inverse widths and b of each layer, of two kernels and two coordinates.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  std::vector<double> in(static_cast<std::size_t>(x.count()), 1.0), out = in;
  for (std::size_t e = 0; e < graph.sources.size(); ++e) {
    out[static_cast<std::size_t>(graph.sources[e])] += 1;
    in[static_cast<std::size_t>(graph.destinations[e])] += 1;
  }
  auto const layer = [&](dense_rows const& rows, std::size_t first) {
    auto const number = [&](std::size_t parameter, int i) {
      return p[first + parameter].elements[static_cast<std::size_t>(i)];
    };
    dense_rows const projected = product(rows, p[first]);
    int const channels = projected.width / 2;
    dense_rows result = zeros(rows.count(), channels);
    for (int kernel = 0; kernel < 2; ++kernel) {
      dense_rows const sum = sum_with_self(graph, projected, [&](int u, int v) {
        double squares = 0;
        for (int i = 0; i < 2; ++i) {
          double const coordinate = std::tanh(number(1, i) / std::sqrt(out[static_cast<std::size_t>(u)]) +
                                              number(2, i) / std::sqrt(in[static_cast<std::size_t>(v)]) + number(3, i));
          double const scaled = (coordinate - number(4, 2 * kernel + i)) * number(5, 2 * kernel + i);
          squares += scaled * scaled;
        }
        return std::exp(-0.5 * squares) / in[static_cast<std::size_t>(v)];
      });
      for (int v = 0; v < rows.count(); ++v) {
        for (int i = 0; i < channels; ++i) result.at(v, i) += sum.at(v, kernel * channels + i);
      }
    }
    return add(result, p[first + 6], same);
  };
  return layer(layer(x, 0), 7);
}

TEST_CASE("monet: its formula, gradients, inference and errors", "[models]") {
  check_model<models::monet>("monet", {1}, formula);
}
TEST_CASE("monet: trains", "[models]") { check_training<models::monet>(0.2); }

}  // namespace
}  // namespace edgewise::testing
