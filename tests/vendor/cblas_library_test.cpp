// Products by a BLAS.
#include <edgewise/vendor/cblas_library.hpp>

#include <edgewise/core/scalar.hpp>

#include "engine/multiply_check.hpp"
#include "plan/host_machine.hpp"
#include "program/check_linear.hpp"
#include "program/run_linear.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("cblas: products", "[vendor]", float, double) {
  check_products<TestType>([](product_request const& request, auto& a, auto& b, auto c) {
    bool const is_taken = cblas_library{}.multiply(cpu{}, at(a.shape, a.data.data()), at(b.shape, b.data.data()),
                                                   at(c.shape, c.data.data()), request.adds);
    CHECK(is_taken == (request.terms > 0));  // else it is the engine's
    if (!is_taken) {
      edgewise::detail::engine<cpu>::multiply<TestType>(cpu{}, at(a.shape, a.data.data()), at(b.shape, b.data.data()),
                                                        at(c.shape, c.data.data()), request.adds,
                                                        static_cast<TestType*>(nullptr));
    }
    return c.data;
  });
}

TEST_CASE("cblas: a program's products", "[vendor]") {
  cblas_library const blas;
  auto const run = [&](test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint) {
    return run_linear<aggregated_first, double>(host_machine{}, graph, in, adjoint, products_by(blas));
  };
  check_linear<aggregated_first>(run, 1e-7);
  auto const graph = multi_edges();
  random_stream random("cblas");
  linear_inputs in;
  in.push_back(draw_rows(24, random));
  in.push_back(draw_rows(24, random));
  in.push_back(draw_rows(12, random));
  in.push_back(draw_rows(6 * 33, random));
  CHECK_THAT(run(graph, in, draw_rows(4 * 33, random)).text, Catch::Contains("by CBLAS"));
}

TEST_CASE("cblas: mixtures are the engine's", "[vendor]") {
  std::vector<float> x(4), y(4);
  std::vector<double> z(4);
  auto const view = [](auto& data) { return matrix_view{data.data(), 2, 2, 2, 1}; };
  CHECK_FALSE(cblas_library{}.multiply(cpu{}, view(x), view(y), view(z), false));
}
