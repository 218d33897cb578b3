// More than 2^32 edges without the memory for them: views of which only a window at the far end is ever touched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check_case.hpp"
#include "run_program.hpp"

namespace edgewise::testing {

/// Positions (and ids) from here on: beyond what 32 bits hold, signed or not.
inline constexpr long long first_far_edge = 5'000'000'000;

/// For run_program: both groupings with offsets from `first_far_edge` on, and ids from 0. The groupings share two
/// arrays, one behind the other. Machine::array_from(values, first) is an array that has values from element `first` on
/// only.
struct far_edges {
  static constexpr bool needs_wide_offsets = true;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const& machine, test_graph const& edges, F const& f) const {
    auto const shifted = [](std::vector<long long> offsets, long long by) {
      for (long long& x : offsets) x += by;
      return offsets;
    };
    auto const joined = [](auto first, auto const& second) {
      first.insert(first.end(), second.begin(), second.end());
      return first;
    };
    auto const rows = edges.by_destination.with_offsets<long long>();
    auto const columns = edges.by_source.with_offsets<long long>();
    auto const row_offsets = machine.upload(shifted(rows.offsets, first_far_edge));
    auto const column_offsets = machine.upload(shifted(columns.offsets, first_far_edge + edges.num_edges()));
    auto const neighbors = machine.array_from(joined(rows.neighbors, columns.neighbors), first_far_edge);
    auto const ids = machine.array_from(joined(rows.edge_ids, columns.edge_ids), first_far_edge);
    csr_view<int, long long> const csr{{row_offsets.data(), neighbors.data(), ids.data(), edges.num_destinations,
                                        edges.num_sources, edges.num_edges()}};
    csc_view<int, long long> const csc{{column_offsets.data(), neighbors.data(), ids.data(), edges.num_sources,
                                        edges.num_destinations, edges.num_edges()}};
    return f(graph{csr, csc}, automatic{});
  }
};

/// Rows of one edge, of few, and of so many that devices cut them.
template <class Case, class Run>
void check_far_edges(Run const& run) {
  random_stream random("far edges");
  for (auto const& edges : {multi_edges(), random_skewed(), one_hub()}) {
    for (width const w : {width{1, 16}, width{2, 33}}) {
      check_request<Case, float>(run, draw_request<Case, float>(edges, w, random));
    }
  }
}

struct far_weight;
struct far_feature;

/// Output and gradients of gather<Gather>(edge<far_weight> * src<far_feature>), per_row.
struct far_ids_result {
  std::vector<float> out, weight_gradient, feature_gradient;
};

/// Runs on a graph whose edge ids start at `first_id`; weights by id have values from `first_id` on only.
template <class Gather, class Machine>
far_ids_result run_ids_from(Machine const& machine, test_graph const& edges, long long first_id) {
  random_stream random("far ids");
  auto const features = machine.upload(draw_values<float>(edges.num_sources, draw::uniform, random));
  auto const adjoint = machine.upload(draw_values<float>(edges.num_destinations, draw::uniform, random));
  auto const weights = machine.array_from(draw_values<float>(edges.num_edges(), draw::uniform, random), first_id);
  auto const weight_gradient = machine.array_from(std::vector<float>(edges.num_edges()), first_id);
  auto const result = machine.upload(std::vector<float>(edges.num_destinations));
  auto const feature_gradient = machine.upload(std::vector<float>(edges.num_sources));
  auto const moved = [&](adjacency<long long> rows) {
    for (long long& id : rows.edge_ids) id += first_id;
    return rows;
  };
  auto const rows = moved(edges.by_destination.with_offsets<long long>());
  auto const columns = moved(edges.by_source.with_offsets<long long>());
  auto const row_offsets = machine.upload(rows.offsets);
  auto const row_neighbors = machine.upload(rows.neighbors);
  auto const row_ids = machine.upload(rows.edge_ids);
  auto const column_offsets = machine.upload(columns.offsets);
  auto const column_neighbors = machine.upload(columns.neighbors);
  auto const column_ids = machine.upload(columns.edge_ids);
  int const sources = edges.num_sources;
  int const destinations = edges.num_destinations;
  graph const g{csr_view<int, long long>{{row_offsets.data(), row_neighbors.data(), row_ids.data(), destinations,
                                          sources, edges.num_edges()}},
                csc_view<int, long long>{{column_offsets.data(), column_neighbors.data(), column_ids.data(), sources,
                                          destinations, edges.num_edges()}}};
  auto const writable = [](auto const& array) { return const_cast<float*>(array.data()); };
  auto const in = bindings(bind<far_weight>(per_row(weights.data(), edges.num_edges())),
                           bind<far_feature>(per_row(features.data(), sources)));
  auto const exec = machine.execution(0, machine.memory());
  auto const plan = fuse(g, automatic{}, gather<Gather>(edge<far_weight> * src<far_feature>)).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(per_row(writable(result), destinations)), saved);
  plan.backward(exec, in, saved, grad_out(per_row(adjoint.data(), destinations)),
                grad<far_weight>(per_row(writable(weight_gradient), edges.num_edges())),
                grad<far_feature>(per_row(writable(feature_gradient), sources)));
  machine.synchronize();
  return {machine.download(result), weight_gradient.values(), machine.download(feature_gradient)};
}

/// Ids beyond 32 bits change nothing, to the bit.
template <class Run>
void check_far_ids(Run const& run) {
  for (auto const& edges : {multi_edges(), one_hub()}) {
    auto const near = run(edges, 0);
    auto const far = run(edges, first_far_edge);
    CHECK(same_bits(near.out, far.out));
    CHECK(same_bits(near.weight_gradient, far.weight_gradient));
    CHECK(same_bits(near.feature_gradient, far.feature_gradient));
    CHECK(std::count_if(near.weight_gradient.begin(), near.weight_gradient.end(), [](float x) { return x != 0; }) > 2);
  }
}

}  // namespace edgewise::testing
