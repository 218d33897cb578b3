#include "models/graph_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <edgewise/format/validate.hpp>

#include "support/catch.hpp"

#include "dense_formula.hpp"
#include "host_matrix.hpp"
#include "models/readouts.hpp"

namespace edgewise::testing {
namespace {

using set_type = models::graph_set<host_context>;
using batch_type = models::graph_batch<host_context>;

struct h;
struct s;  // scores [V]

/// Four graphs: a cycle of three vertices, nothing, a vertex alone, and two vertices with three edges.
std::vector<std::int32_t> const vertex_offsets{0, 3, 3, 4, 6}, edge_offsets{0, 3, 3, 3, 6};
std::vector<std::int32_t> const sources{0, 1, 2, 0, 1, 0}, destinations{1, 2, 0, 1, 0, 0};

set_type small_set(host_context const& context) {
  return {context, vertex_offsets, edge_offsets, sources, destinations};
}

TEST_CASE("a batch is the chosen graphs side by side, in their order", "[models]") {
  host_context const context;
  set_type const set = small_set(context);
  std::vector<std::int32_t> const chosen{3, 1, 0, 3, 2};
  batch_type const batch(context, set, chosen);
  CHECK(batch.num_graphs() == 5);
  REQUIRE(batch.num_vertices() == 8);
  CHECK(std::vector<std::int32_t>(batch.rows(), batch.rows() + 8) == std::vector<std::int32_t>{4, 5, 0, 1, 2, 4, 5, 3});
  validate(batch.graph());
  validate(batch.members());

  // Edges by id: those of graph 3, shifted by 0, of graph 0 by 2, and of graph 3 by 5.
  std::vector<std::int32_t> const from{0, 1, 0, 2, 3, 4, 5, 6, 5}, to{1, 0, 0, 3, 4, 2, 6, 5, 5};
  auto const rows = batch.graph().first;
  REQUIRE(rows.num_edges == 9);
  for (std::int32_t v = 0; v < 8; ++v) {
    for (std::int32_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      auto const e = static_cast<std::size_t>(rows.edge_id(k));
      CHECK(from[e] == rows.neighbors[k]);
      CHECK(to[e] == v);
    }
  }
  auto const members = batch.members().first;
  CHECK(std::vector<std::int32_t>(members.offsets, members.offsets + 6) == std::vector<std::int32_t>{0, 2, 2, 5, 7, 8});
  for (std::int32_t v = 0; v < 8; ++v) CHECK(members.neighbors[v] == v);

  auto const x = make_host_matrix<double>(context, 6, 2, {0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51});
  auto y = make_host_matrix<double>(context, 8, 2, std::vector<double>(16));
  batch.take_rows<double>(context, x.view(), y.view());
  CHECK(elements_of(y.view()) == std::vector<double>{40, 41, 50, 51, 0, 1, 10, 11, 20, 21, 40, 41, 50, 51, 30, 31});
  auto const short_x = make_host_matrix<double>(context, 5, 2, std::vector<double>(10));
  CHECK_THROWS_WITH(batch.take_rows<double>(context, short_x.view(), y.view()),
                    "graph_batch: x is [5, 2], expected [6, 2]");
}

TEST_CASE("a batch may be without graphs or of graphs without vertices", "[models]") {
  host_context const context;
  set_type const set = small_set(context);
  batch_type const none(context, set, {});
  CHECK(none.num_graphs() == 0);
  CHECK(none.num_vertices() == 0);
  std::vector<std::int32_t> const empty{1, 1};
  batch_type const two(context, set, empty);
  CHECK(two.num_graphs() == 2);
  CHECK(two.num_vertices() == 0);
  CHECK(two.members().first.offsets[2] == 0);
}

TEST_CASE("sets and batches name what is wrong", "[models]") {
  host_context const context;
  set_type const set = small_set(context);
  std::vector<std::int32_t> const outside{0, 4};
  CHECK_THROWS_WITH(batch_type(context, set, outside), "graph_batch: chosen[1] = 4, but there are 4 graphs");
  auto const make = [&](std::vector<std::int32_t> const& vertices, std::vector<std::int32_t> const& edges,
                        std::vector<std::int32_t> const& from) {
    return set_type(context, vertices, edges, from, destinations);
  };
  CHECK_THROWS_WITH(make({0, 3, 3, 4}, edge_offsets, sources),
                    "graph_set: 4 vertex offsets and 5 edge offsets: there must be one more than there are graphs, the "
                    "first 0");
  CHECK_THROWS_WITH(make(vertex_offsets, {0, 3, 3, 3, 5}, sources),
                    "graph_set: 6 sources and 6 destinations, but the last edge offset is 5");
  CHECK_THROWS_WITH(make({0, 3, 2, 4, 6}, edge_offsets, sources), "graph_set: the offsets of graph 1 fall");
  CHECK_THROWS_WITH(make(vertex_offsets, edge_offsets, {0, 1, 2, 0, 2, 0}),
                    "graph_set: edge 4 of graph 3 goes 2 -> 0, but the graph has 2 vertices");
}

TEST_CASE("readouts are what plain loops give, and 0 of a graph without vertices", "[models]") {
  host_context const context;
  set_type const set = small_set(context);
  std::vector<std::int32_t> const chosen{3, 1, 0, 3, 2};
  batch_type const batch(context, set, chosen);
  constexpr int channels = 3, parts = 4;
  int const vertices = batch.num_vertices(), graphs = batch.num_graphs();
  random_stream random("readouts");
  auto const rows = random_host_matrix<double>(context, random, vertices, channels);
  auto const scores = random_host_matrix<double>(context, random, vertices, 1);
  auto const adjoint = random_host_matrix<double>(context, random, graphs, parts * channels);
  dense_rows const x{channels, elements_of(rows.view())};

  auto const program = concat(models::sum_readout<h>(), models::mean_readout<h>(), models::max_readout<h>(),
                              models::attention_readout<h>(src<s>));
  auto const in =
      bindings(bind<h>(wide(rows.view().data, vertices, channels)), bind<s>(per_row(scores.view().data, vertices)));
  auto const plan = fuse(batch.members(), automatic{}, program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  dense_rows readouts = zeros(graphs, parts * channels), gradient = zeros(vertices, channels);
  plan.forward(cpu{}, in, out(wide(readouts.elements.data(), graphs, parts * channels)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.view().data, graphs, parts * channels)),
                grad<h>(wide(gradient.elements.data(), vertices, channels)));

  auto const members = batch.members().first;
  for (int g = 0; g < graphs; ++g) {
    int const begin = members.offsets[g], end = members.offsets[g + 1];
    double weights = 0;
    for (int v = begin; v < end; ++v) weights += std::exp(scores.view().data[v]);
    for (int i = 0; i < channels; ++i) {
      double total = 0, weighed = 0, largest = begin == end ? 0 : x.at(begin, i);
      for (int v = begin; v < end; ++v) {
        total += x.at(v, i);
        weighed += std::exp(scores.view().data[v]) / weights * x.at(v, i);
        largest = std::max(largest, x.at(v, i));
      }
      INFO("graph " << g << ", channel " << i);
      CHECK(readouts.at(g, i) == Approx(total));
      CHECK(readouts.at(g, channels + i) == Approx(begin == end ? 0 : total / (end - begin)));
      CHECK(readouts.at(g, 2 * channels + i) == largest);
      CHECK(readouts.at(g, 3 * channels + i) == Approx(weighed));
      for (int v = begin; v < end; ++v) {
        auto const slope = [&](int part) { return adjoint.view().data[(g * parts + part) * channels + i]; };
        CHECK(gradient.at(v, i) == Approx(slope(0) + slope(1) / (end - begin) + slope(2) * (x.at(v, i) == largest) +
                                          slope(3) * std::exp(scores.view().data[v]) / weights));
      }
    }
  }
  CHECK(readouts.at(1, 0) == 0);  // graph 1 of the set
}

}  // namespace
}  // namespace edgewise::testing
