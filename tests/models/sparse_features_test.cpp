// Models of sparse features.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "check_model.hpp"
#include "models/gatv2.hpp"
#include "models/program_model.hpp"
#include "models/sparse_matrix.hpp"

namespace edgewise::testing {
namespace {

using sparse_type = models::sparse_matrix<double, host_context>;
using dense_model = models::gatv2<double, host_context>;
using sparse_model = models::program_model<double, host_context, models::gatv2_architecture, sparse_type>;

/// Rows of 5 elements, of which some rows and one column have none; those of row 1 may be stored in two parts.
struct sparse_rows {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  std::vector<double> dense;

  sparse_rows(int num_rows, random_stream random, bool has_parts = true)
      : dense(static_cast<std::size_t>(5 * num_rows)) {
    for (int row = 0; row < num_rows; ++row) {
      for (int column = 0; column < 4 && row % 7 != 3; ++column) {
        for (int part = 0; part < (row == 1 && has_parts ? 2 : 1); ++part) {
          if (random.uniform(0, 1) < 0.4) continue;
          columns.push_back(column);
          values.push_back(random.uniform(-1, 1));
          dense[static_cast<std::size_t>(5 * row + column)] += values.back();
        }
      }
      offsets.push_back(static_cast<std::int32_t>(columns.size()));
    }
  }
  csr_view<> view() const {
    return view_csr({.sources = 5, .destinations = static_cast<std::int64_t>(offsets.size()) - 1}, offsets, columns);
  }
};

TEST_CASE("sparse features: the values and gradients of the same features stored densely", "[models]") {
  test_graph const edges = directed();
  host_context const context;
  sparse_rows const rows(edges.num_sources, random_stream("sparse rows"));
  sparse_type const sparse(context, rows.view(), rows.values.data());
  CHECK(sparse.rows() == edges.num_sources);
  CHECK(sparse.cols() == 5);
  auto const dense = make_host_matrix(context, edges.num_sources, 5, rows.dense);

  models::square_graph<host_context> const graph(context, edges.csr(), edges.csc());
  models::random_state const state{17, 3};
  models::softmax_cross_entropy<double, host_context> loss(
      context, model_problem<dense_model>::labels(context, edges.num_sources));
  models::node_options options{.num_features = 5, .num_heads = 2, .num_hidden = 3, .num_classes = 3, .dropout = 0.0};
  dense_model expected(context, graph, dense.view(), options, &state);
  sparse_model actual(context, graph, sparse, options, &state);
  random_stream random("sparse parameters");
  model_problem<dense_model>::fill(expected.all_parameters(), random);
  auto const size = expected.all_parameters().size();
  REQUIRE(actual.all_parameters().size() == size);
  std::copy_n(expected.all_parameters().values(), size, actual.all_parameters().values());

  auto const run = [&](auto& model) {
    loss(context, model.forward(context));
    model.backward(context, loss.gradient());
    return std::vector<double>(model.all_parameters().gradients(), model.all_parameters().gradients() + size);
  };
  auto const expected_gradients = run(expected), gradients = run(actual);
  for (std::size_t i = 0; i < gradients.size(); ++i)
    CHECK(gradients[i] == Approx(expected_gradients[i]).epsilon(1e-9).margin(1e-12));
  auto const expected_logits = elements_of(expected.infer(context)), logits = elements_of(actual.infer(context));
  for (std::size_t i = 0; i < logits.size(); ++i) CHECK(logits[i] == Approx(expected_logits[i]).margin(1e-12));

  SECTION("under dropout, too, gradients are those of what forward gives") {
    options.dropout = 0.4;
    sparse_model dropping(context, graph, sparse, options, &state);
    auto& parameters = dropping.all_parameters();
    std::copy_n(expected.all_parameters().values(), size, parameters.values());
    auto const evaluate = [&] {
      loss(context, dropping.forward(context));
      return loss.loss(context);
    };
    auto const found = run(dropping);
    CHECK(found != gradients);
    auto const first = parameters.value(0);
    for (std::int64_t i = 0; i < first.size(); ++i) {
      double& element = first.at(i / first.cols, i % first.cols);
      double const value = element, step = 1e-6;
      element = value + step;
      double const above = evaluate();
      element = value - step;
      double const below = evaluate();
      element = value;
      CHECK(found[static_cast<std::size_t>(&element - parameters.values())] ==
            Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-8));
    }
    CHECK(elements_of(dropping.infer(context)) == logits);
  }
  SECTION("as a dense copy they are dropped as they are element by element") {
    options.dropout = 0.4;
    sparse_rows const whole(edges.num_sources, random_stream("sparse rows of whole elements"), false);
    CHECK(models::takes_dense_copy(sparse_type(context, whole.view(), whole.values.data()), 6));
    CHECK_FALSE(models::takes_dense_copy(sparse, 6));  // an element in two parts
    std::vector<double> gradients_of[2], logits_of[2];
    for (int i = 0; i < 2; ++i) {
      sparse_type const x(context, whole.view(), whole.values.data(),
                          i == 0 ? models::product_kind::sparse : models::product_kind::dense);
      sparse_model model(context, graph, x, options, &state);
      std::copy_n(expected.all_parameters().values(), size, model.all_parameters().values());
      gradients_of[i] = run(model);
      logits_of[i] = elements_of(model.infer(context));
      CHECK(run(model) == gradients_of[i]);
    }
    for (std::size_t i = 0; i < gradients_of[0].size(); ++i)
      CHECK(gradients_of[1][i] == Approx(gradients_of[0][i]).margin(1e-12));
    for (std::size_t i = 0; i < logits_of[0].size(); ++i)
      CHECK(logits_of[1][i] == Approx(logits_of[0][i]).margin(1e-12));
  }
  SECTION("a dense copy of an element in two parts is refused") {
    sparse_type const x(context, rows.view(), rows.values.data(), models::product_kind::dense);
    CHECK_THROWS_WITH(sparse_model(context, graph, x, options, &state),
                      Catch::Contains("row 1 has two elements in one column"));
  }
  SECTION("of another shape they are refused") {
    options.num_features = 4;
    CHECK_THROWS_WITH(sparse_model(context, graph, sparse, options, &state),
                      Catch::Contains("gatv2: x is [" + std::to_string(edges.num_sources) + ", 5], expected [" +
                                      std::to_string(edges.num_sources) + ", 4]"));
  }
}

}  // namespace
}  // namespace edgewise::testing
