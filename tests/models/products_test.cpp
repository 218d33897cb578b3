// The dense products that models hand to a BLAS.
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/context.hpp"

namespace edgewise::testing {
namespace {

TEST_CASE("products of models: every row once, to the same bits however many threads share them", "[models]") {
  std::int64_t const m = 300, n = 7, k = 90;
  random_stream random("products");
  host_context const context;
  auto const a = elements_of(random_host_matrix<double>(context, random, m, k).view());
  auto const b = elements_of(random_host_matrix<double>(context, random, k, n).view());
  std::vector<double> at(a.size());
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < k; ++j) at[j * m + i] = a[i * k + j];
  }
  matrix_view<double const> const b_view{b.data(), k, n, n, 1};
  for (matrix_view<double const> const& a_view : {matrix_view<double const>{a.data(), m, k, k, 1},
                                                  matrix_view<double const>{at.data(), k, m, m, 1}.transposed()}) {
    for (bool adds : {false, true}) {
      auto const multiply = [&](int threads) {
        host_context const shared(cpu{.threads = threads});
        std::vector<double> c(m * n, adds ? 1.0 : -1e30);
        REQUIRE(shared.make_products()->multiply(shared.resource(), a_view, b_view,
                                                 matrix_view<double>{c.data(), m, n, n, 1}, adds));
        return c;
      };
      auto const found = multiply(1);
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          double expected = adds ? 1 : 0;
          for (std::int64_t l = 0; l < k; ++l) expected += a[i * k + l] * b[l * n + j];
          REQUIRE(found[i * n + j] == Approx(expected).margin(1e-11));
        }
      }
      CHECK(multiply(3) == found);
    }
  }
}

}  // namespace
}  // namespace edgewise::testing
