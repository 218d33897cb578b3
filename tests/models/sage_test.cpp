#include "models/sage.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

// Parameters: W0, b0, W1, b1.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int) {
  auto const sources = sources_of(graph, true);
  auto const mean = [&](dense_rows const& rows) {
    return sum_with_self(graph, rows, [&](int, int v) {
      return 1.0 / static_cast<double>(sources[static_cast<std::size_t>(v)].size());
    });
  };
  auto const hidden = add(product(mean(x), p[0]), p[1], ramp);
  return add(product(mean(hidden), p[2]), p[3], same);
}

TEST_CASE("sage: its formula, gradients, inference and errors", "[models]") {
  check_model<models::sage>("sage", {1}, formula);
}
TEST_CASE("sage: trains", "[models]") { check_training<models::sage>(); }

}  // namespace
}  // namespace edgewise::testing
