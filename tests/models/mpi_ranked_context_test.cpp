// What a rank has of a graph, of features and of losses, next to one process that has them whole.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/edgewise.hpp>
#include <edgewise/format/generate.hpp>
#include <edgewise/vendor/mpi.hpp>

#include "support/catch.hpp"

#include "models/accuracy.hpp"
#include "models/cross_entropy.hpp"
#include "models/feature_product.hpp"
#include "models/micro_f1.hpp"
#include "models/normalized_graph.hpp"
#include "models/ranked_context.hpp"
#include "models/scaled_graph.hpp"
#include "models/sigmoid_cross_entropy.hpp"
#include "models/sparse_matrix.hpp"
#include "models/typed_graph.hpp"

namespace edgewise::testing {
namespace {

using whole_context = models::context<cpu>;
using ranked_context = models::ranked_context<mpi_communicator>;

mpi_communicator& world() {
  static mpi_communicator comm(MPI_COMM_WORLD, std::chrono::seconds(30));
  return comm;
}

/// A graph, and numbers of its vertices that no two share.
struct problem {
  static constexpr std::int64_t num_classes = 3;
  labelled_graph<> const drawn =
      generate_block_model({.block_sizes = {13, 9, 11}, .inside = 0.4, .between = 0.1, .seed = 5});
  csr<> const by_destination = to_csr(cpu{}, drawn.edges);
  csc<> const by_source = to_csc(cpu{}, drawn.edges);
  std::int64_t const num_vertices = drawn.edges.num_sources();

  /// Vertices go to the ranks in turn, so that those of a rank are not those of a range.
  ownership owners() const {
    std::vector<std::int32_t> owner;
    for (std::int64_t v = 0; v < num_vertices; ++v) owner.push_back(static_cast<std::int32_t>(v % world().size()));
    return partition(by_destination, world().size(), by_owner{owner});
  }
  std::vector<float> logits() const {
    std::vector<float> numbers;
    for (int i = 0; i < num_vertices * num_classes; ++i) numbers.push_back(static_cast<float>(i * 37 % 101) / 50 - 1);
    return numbers;
  }
};

/// Rows of vertices, `size` elements each.
template <class T>
std::vector<T> rows_of(std::span<std::int64_t const> vertices, std::vector<T> const& rows, std::int64_t size) {
  std::vector<T> own;
  for (auto const v : vertices) own.insert(own.end(), rows.begin() + v * size, rows.begin() + (v + 1) * size);
  return own;
}
/// Those of the listed vertices that a rank has, by its numbers.
std::vector<std::int32_t> own_of(std::span<std::int64_t const> vertices, std::vector<std::int32_t> const& listed) {
  std::vector<std::int32_t> own;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (std::find(listed.begin(), listed.end(), vertices[v]) != listed.end())
      own.push_back(static_cast<std::int32_t>(v));
  }
  return own;
}

TEST_CASE("ranked context: sums over ranks are the same on all", "[models]") {
  problem const p;
  ranked_context const context({}, world(), p.owners());
  auto const size = static_cast<std::int64_t>(world().size());
  CHECK(context.sum_over_ranks(std::int64_t{context.rank()}) == size * (size - 1) / 2);
  CHECK(context.sum_over_ranks(0.5) == 0.5 * static_cast<double>(size));
  std::vector<float> numbers{static_cast<float>(context.rank()), 2.0F, 0.0F};
  auto const sum = context.make_rank_sum<float>(3);
  sum(context.resource(), numbers.data());
  CHECK(numbers == std::vector<float>{static_cast<float>(size * (size - 1) / 2), 2.0F * static_cast<float>(size), 0});
}

TEST_CASE("ranked context: owners of other ranks, and a rank without vertices, are refused", "[models]") {
  problem const p;
  auto const more = partition(p.by_destination, world().size() + 1, by_edges{});
  CHECK_THROWS_AS(ranked_context({}, world(), more), invalid_argument);
  if (world().size() > 1) {
    std::vector<std::int32_t> const first(static_cast<std::size_t>(p.num_vertices), 0);
    auto const one_has_all = partition(p.by_destination, world().size(), by_owner{first});
    CHECK_THROWS_WITH(ranked_context({}, world(), one_has_all),
                      Catch::Contains("rank 1 of") && Catch::Contains("gets none of 33 vertices"));
  }
}

TEST_CASE("ranked context: factors of vertices are those of the whole graph", "[models]") {
  problem const p;
  whole_context const alone;
  ranked_context const context({}, world(), p.owners());
  auto const check = [&](auto const& whole, auto const& part, auto const& factor) {
    auto const vertices = part.groupings().vertices();
    REQUIRE(static_cast<std::int64_t>(vertices.size()) == part.num_vertices());
    for (std::size_t v = 0; v < vertices.size(); ++v) CHECK(factor(part)[v] == factor(whole)[vertices[v]]);
  };
  models::normalized_graph<float, whole_context> const normalized(alone, p.by_destination.view(), p.by_source.view());
  models::normalized_graph<float, ranked_context> const own(context, p.by_destination.view(), p.by_source.view());
  check(normalized, own, [](auto const& g) { return g.source_factor(); });
  check(normalized, own, [](auto const& g) { return g.destination_factor(); });
  models::scaled_graph<float, whole_context> const scaled(alone, p.by_destination.view(), p.by_source.view());
  models::scaled_graph<float, ranked_context> const own_scaled(context, p.by_destination.view(), p.by_source.view());
  check(scaled, own_scaled, [](auto const& g) { return g.amplification(); });
  check(scaled, own_scaled, [](auto const& g) { return g.attenuation(); });
}

TEST_CASE("ranked context: types and weights of edges are those of the whole graph", "[models]") {
  problem const p;
  std::vector<std::int32_t> types;
  for (int e = 0; e < p.by_destination.num_edges(); ++e) types.push_back(e * 7 % 5);
  whole_context const alone;
  ranked_context const context({}, world(), p.owners());
  models::typed_graph<float, whole_context> const whole(alone, p.by_destination.view(), p.by_source.view(), types, 5);
  models::typed_graph<float, ranked_context> const own(context, p.by_destination.view(), p.by_source.view(), types, 5);
  auto const& part = own.view().part();
  CHECK(own.num_types() == 5);
  REQUIRE(own.num_edges() == static_cast<std::int64_t>(part.edges.size()));
  for (std::size_t e = 0; e < part.edges.size(); ++e) {
    CHECK(part.edge_types[e] == types[static_cast<std::size_t>(part.edges[e])]);
    CHECK(own.edge_weight()[e] == whole.edge_weight()[part.edges[e]]);
  }
}

TEST_CASE("ranked context: losses and scores are of the rows of all ranks", "[models]") {
  problem const p;
  whole_context const alone;
  ranked_context const context({}, world(), p.owners());
  models::square_graph<ranked_context> const graph(context, p.by_destination.view(), p.by_source.view());
  auto const vertices = graph.vertices();
  std::int64_t const classes = problem::num_classes;
  auto const logits = p.logits(), own_logits = rows_of(vertices, logits, classes);
  models::matrix_view<float const, host_space> const x{logits.data(), p.num_vertices, classes};
  models::matrix_view<float const, host_space> const own_x{own_logits.data(), graph.num_vertices(), classes};

  // With four ranks two have none of the first rows.
  auto const listed = GENERATE(std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{3, 4, 5, 9, 20, 30, 32});
  auto const own = own_of(vertices, listed);
  auto const check_loss = [&](auto& whole, auto& part) {
    whole(alone, x);
    part(context, own_x);
    CHECK(part.loss(context) == Approx(whole.loss(alone)).epsilon(1e-6));
    auto const gradient = whole.gradient(), own_gradient = part.gradient();
    for (std::int64_t v = 0; v < own_gradient.rows; ++v) {
      for (std::int64_t c = 0; c < classes; ++c) {
        CHECK(own_gradient.data[v * classes + c] == gradient.data[vertices[static_cast<std::size_t>(v)] * classes + c]);
      }
    }
  };
  auto const check_score = [&](auto& whole, auto& part) {
    whole(alone, x);
    part(context, own_x);
    CHECK(part.value(context) == whole.value(alone));
  };

  std::vector<std::int32_t> const labels(p.drawn.labels.begin(), p.drawn.labels.end());
  auto const own_labels = rows_of(vertices, labels, 1);
  auto const labelled = [&] { return models::labelled_rows<whole_context>(alone, labels, listed, classes); };
  auto const own_labelled = [&] { return models::labelled_rows<ranked_context>(context, own_labels, own, classes); };
  models::softmax_cross_entropy<float, whole_context> softmax(alone, labelled());
  models::softmax_cross_entropy<float, ranked_context> own_softmax(context, own_labelled());
  check_loss(softmax, own_softmax);
  models::accuracy<float, whole_context> accuracy(alone, labelled());
  models::accuracy<float, ranked_context> own_accuracy(context, own_labelled());
  check_score(accuracy, own_accuracy);

  std::vector<std::uint8_t> sets;
  for (int i = 0; i < p.num_vertices * classes; ++i) sets.push_back(i * 7 % 5 < 2 ? 1 : 0);
  auto const own_sets = rows_of(vertices, sets, classes);
  auto const with_sets = [&] { return models::multi_labelled_rows<whole_context>(alone, sets, listed, classes); };
  auto const own_with_sets = [&] {
    return models::multi_labelled_rows<ranked_context>(context, own_sets, own, classes);
  };
  models::sigmoid_cross_entropy<float, whole_context> sigmoid(alone, with_sets());
  models::sigmoid_cross_entropy<float, ranked_context> own_sigmoid(context, own_with_sets());
  check_loss(sigmoid, own_sigmoid);
  models::micro_f1<float, whole_context> f1(alone, with_sets());
  models::micro_f1<float, ranked_context> own_f1(context, own_with_sets());
  check_score(f1, own_f1);
}

TEST_CASE("ranked context: dropout of features drops what it drops in one process", "[models]") {
  problem const p;
  whole_context const alone;
  ranked_context const context({}, world(), p.owners());
  models::square_graph<ranked_context> const graph(context, p.by_destination.view(), p.by_source.view());
  auto const kind = GENERATE(models::product_kind::sparse, models::product_kind::dense);

  constexpr std::int64_t columns = 7, width = 4;
  std::vector<std::int32_t> offsets{0}, own_offsets{0}, places, own_places;
  std::vector<float> values, own_values;
  std::vector<std::int64_t> numbers;
  for (std::int64_t v = 0; v < p.num_vertices; ++v) {
    for (std::int32_t c = 0; c < columns; ++c) {
      if ((v + c) % 3 == 0) continue;
      places.push_back(c);
      values.push_back(static_cast<float>(1 + v + 40 * c));
    }
    offsets.push_back(static_cast<std::int32_t>(places.size()));
  }
  for (auto const v : graph.vertices()) {
    for (auto k = offsets[static_cast<std::size_t>(v)]; k < offsets[static_cast<std::size_t>(v) + 1]; ++k) {
      own_places.push_back(places[static_cast<std::size_t>(k)]);
      own_values.push_back(values[static_cast<std::size_t>(k)]);
      numbers.push_back(k);
    }
    own_offsets.push_back(static_cast<std::int32_t>(own_places.size()));
  }
  std::vector<float> const w(static_cast<std::size_t>(columns * width), 1.0F);
  models::random_state const state{11, 2};
  auto const product = [&]<class Context>(Context const& of, models::sparse_matrix<float, Context> const& x) {
    models::parameter_view<float const, host_space> const matrix{w.data(), columns, width, width};
    auto const products = of.make_products();
    models::feature_product<float, Context, models::sparse_matrix<float, Context>> multiply(
        of, x, matrix, &state, 0.5, *products, models::model_for::one_graph);
    std::vector<float> z(static_cast<std::size_t>(x.rows() * width));
    multiply.forward(of, matrix, {z.data(), x.rows(), width}, true);
    return z;
  };
  auto const view = [&](auto const& first, auto const& neighbors) {
    return view_csr({.sources = columns, .destinations = static_cast<std::int64_t>(first.size()) - 1}, first,
                    neighbors);
  };
  models::sparse_matrix<float, whole_context> const x(alone, view(offsets, places), values.data(), kind);
  models::sparse_matrix<float, ranked_context> const own(context, view(own_offsets, own_places), own_values.data(),
                                                         kind, numbers);
  auto const z = product(alone, x);
  CHECK(product(context, own) == rows_of(graph.vertices(), z, width));
  CHECK_THROWS_WITH(
      (models::sparse_matrix<float, ranked_context>(context, view(own_offsets, own_places), own_values.data(), kind)),
      Catch::Contains("sparse_matrix: 0 of"));
}

}  // namespace
}  // namespace edgewise::testing
