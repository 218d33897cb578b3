// What every order of vertices must keep: it is a permutation, it renames the edges and nothing else, and results on
// the reordered graph are those of the graph, in the new order.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "../support/graphs.hpp"
#include "edges.hpp"

namespace edgewise::testing {

namespace order_names {
struct h;
struct w;
}  // namespace order_names

inline void check_is_permutation(vertex_order<int> const& order, int num_vertices) {
  REQUIRE(order.size() == num_vertices);
  REQUIRE(order.new_of_old.size() == order.old_of_new.size());
  for (int i = 0; i < num_vertices; ++i) {
    int const old = order.old_of_new[static_cast<std::size_t>(i)];
    REQUIRE(old >= 0);
    REQUIRE(old < num_vertices);
    REQUIRE(order.new_of_old[static_cast<std::size_t>(old)] == i);
  }
}

/// The edges of a view with old names.
template <class View>
std::vector<edge> renamed_back(View const& view, vertex_order<int> const& order) {
  auto edges = edges_by_id(view);
  for (auto& [source, destination, id] : edges) {
    source = order.old_of_new[static_cast<std::size_t>(source)];
    destination = order.old_of_new[static_cast<std::size_t>(destination)];
  }
  return edges;
}

/// Value and gradient of h, row by row one after the other; the adjoint is h itself.
template <class Program, class In>
std::vector<float> value_and_gradient(csr_view<> const& by_destination, csc_view<> const& by_source,
                                      Program const& program, In const& in, std::vector<float> const& h, int channels) {
  cpu const exec{.threads = 1};
  int const n = by_destination.num_rows;
  std::vector<float> y(h.size(), 1e30f), dh(h.size(), 1e30f);
  auto const plan = fuse(graph{by_destination, by_source}, vertex_balanced{}, program).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(wide(y.data(), n, channels)), saved);
  plan.backward(exec, in, saved, grad_out(wide(h.data(), n, channels)),
                grad<order_names::h>(wide(dh.data(), n, channels)));
  y.insert(y.end(), dh.begin(), dh.end());
  return y;
}

/// A weighted sum and attention on a graph, operands by vertex and by edge.
inline std::vector<std::vector<float>> results_on(csr_view<> const& by_destination, csc_view<> const& by_source,
                                                  std::vector<float> const& features, std::vector<float> const& weights,
                                                  int channels) {
  using namespace order_names;
  auto const x = bind<h>(wide(features.data(), by_destination.num_rows, channels));
  auto const along = bind<w>(per_row(weights.data(), by_destination.num_edges));
  return {value_and_gradient(by_destination, by_source, gather<sum>(edgewise::edge<w> * src<h>), bindings(x, along),
                             features, channels),
          value_and_gradient(by_destination, by_source, gather<sum>(softmax(dot(dst<h>, src<h>)) * src<h>), bindings(x),
                             features, channels)};
}

/// The laws of one policy on one graph with as many sources as destinations.
template <class Policy>
void check_order_laws(test_graph const& graph, Policy const& policy) {
  CAPTURE(graph.name);
  cpu const exec;
  int const n = graph.num_destinations;
  coo<> const pairs = make_coo(vertices(n), graph.sources, graph.destinations);
  csr<> const by_destination = to_csr(exec, pairs);
  csc<> const by_source = to_csc(exec, pairs);
  auto const order = find_order(exec, by_destination, policy);
  check_is_permutation(order, n);

  csr<> const new_rows = reorder(exec, by_destination, order);
  csc<> const new_columns = reorder(exec, by_source, order);
  coo<> const new_pairs = reorder(exec, pairs, order);
  CHECK(renamed_back(new_rows.view(), order) == edges_of(graph));
  CHECK(renamed_back(new_columns.view(), order) == edges_of(graph));
  CHECK(renamed_back(new_pairs.view(), order) == edges_of(graph));
  CHECK(new_pairs.edge_ids().empty());

  // operands move with their vertices and come back; results are the same bits, since edges of a row keep their order
  constexpr int channels = 5;
  if (graph.num_edges() == 0) return;
  random_stream random("orders: " + graph.name);
  std::vector<float> features(static_cast<std::size_t>(n) * channels),
      weights(static_cast<std::size_t>(graph.num_edges()));
  for (float& x : features) x = static_cast<float>(random.uniform() - 0.5);
  for (float& x : weights) x = static_cast<float>(random.uniform() - 0.5);
  std::vector<float> new_features(features.size(), 1e30f);
  permute_rows(exec, order, wide(features.data(), n, channels), wide(new_features.data(), n, channels));
  auto const expected = results_on(by_destination, by_source, features, weights, channels);
  auto const reordered = results_on(new_rows, new_columns, new_features, weights, channels);
  for (std::size_t p = 0; p < expected.size(); ++p) {
    std::vector<float> restored(expected[p].size(), 1e30f);
    for (std::size_t part : {std::size_t{0}, features.size()}) {  // value, gradient
      restore_rows(exec, order, wide(reordered[p].data() + part, n, channels),
                   wide(restored.data() + part, n, channels));
    }
    CHECK(restored == expected[p]);
  }
}

}  // namespace edgewise::testing
