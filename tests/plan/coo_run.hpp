// Runs a case over graph{coo}: run_program with edges in an order of choice.
#pragma once

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "run_program.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

/// How edges lie in the coo's arrays: by id (without an id array), row by row, or in no order.
enum class edge_order { by_id, by_destination, shuffled };

inline std::vector<int> edges_in_order(test_graph const& graph, edge_order order) {
  if (order == edge_order::by_destination) return graph.by_destination.edge_ids;
  std::vector<int> ids(static_cast<std::size_t>(graph.num_edges()));
  std::iota(ids.begin(), ids.end(), 0);
  if (order == edge_order::shuffled) {
    random_stream random("scatter: order of edges");
    for (int k = graph.num_edges(); k > 1; --k) std::swap(ids[k - 1], ids[random.below(k)]);
  }
  return ids;
}

/// The arrays of a coo where a machine reads them.
template <class Machine, class Offset>
class coo_arrays {
  template <class T>
  using array = decltype(std::declval<Machine const&>().upload(std::vector<T>{}));

public:
  coo_arrays(Machine const& machine, test_graph const& graph, edge_order order)
      : graph_(graph),
        has_ids_(order != edge_order::by_id),
        sources_(machine.upload(picked<int>(graph.sources, edges_in_order(graph, order)))),
        destinations_(machine.upload(picked<int>(graph.destinations, edges_in_order(graph, order)))),
        ids_(machine.upload(offsets(edges_in_order(graph, order)))) {}

  coo_view<int, Offset> view() const {
    return {sources_.data(),    destinations_.data(),    has_ids_ ? ids_.data() : nullptr,
            graph_.num_sources, graph_.num_destinations, static_cast<Offset>(graph_.num_edges())};
  }

private:
  template <class T>
  static std::vector<T> picked(std::vector<T> const& values, std::vector<int> const& positions) {
    std::vector<T> result;
    for (int k : positions) result.push_back(values.at(static_cast<std::size_t>(k)));
    return result;
  }
  static std::vector<Offset> offsets(std::vector<int> const& ids) { return {ids.begin(), ids.end()}; }

  test_graph const& graph_;
  bool has_ids_;
  array<int> sources_;
  array<int> destinations_;
  array<Offset> ids_;
};

/// Edges that are not grouped, for `edge_balanced`: the counterpart of `grouped_edges`.
struct ungrouped_edges {
  edge_order order = edge_order::by_id;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const& machine, test_graph const& edges, F const& f) const {
    coo_arrays<Machine, Offset> const arrays(machine, edges, order);
    return f(graph{arrays.view()}, edge_balanced{});
  }
};

/// Edges that are not grouped, for `automatic` with `passes` expected.
struct chosen_edges {
  double passes = std::numeric_limits<double>::infinity();
  edge_order order = edge_order::by_id;

  /// An infinity of passes pays for the grouping, and the least number does not.
  template <class Plan>
  void check(Plan const& plan) const {
    bool const groups = passes == std::numeric_limits<double>::infinity();
    if (plan.is_grouped() != groups) throw std::logic_error("chosen_edges: the plan went the other way");
  }

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const& machine, test_graph const& edges, F const& f) const {
    coo_arrays<Machine, Offset> const arrays(machine, edges, order);
    return f(graph{arrays.view()}, automatic{.passes = passes});
  }
};

/// Runs a case over graph{coo} with `edge_balanced`.
template <class Case, class Machine, class T>
run_result<T> run_scattered(Machine const& machine, run_request<T> const& request,
                            edge_order order = edge_order::by_id) {
  return run_program<Case>(machine, request, ungrouped_edges{order});
}

}  // namespace edgewise::testing
