// Do the arrays that a call is given lie where its engine reads them?
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_checks.hpp>

namespace edgewise::inline v0::detail {

/// Call: has `check_array(address, name)`, which throws `invalid_argument` (plan/plan_mark.hpp).
template <class Call, class View, class Name>
void check_view_array(Call& call, View const& view, Name const& name) {
  if (view.rows > 0) call.check_array(view.data, name);
  if constexpr (has_row_types<View>) call.check_array(view.types.offsets, [&] { return name() + ", its types"; });
}

/// Checks the array of every operand of Leaves.
template <class... Leaf, class Call, class Set>
void check_operand_arrays([[maybe_unused]] Call& call, type_list<Leaf...>, [[maybe_unused]] Set const& in) {
  [[maybe_unused]] auto const check = [&]<class L>(type_tag<L>) {
    if constexpr (is_random_leaf<L>) {
      auto const& numbers = view_for<L>(in);
      if (numbers.stream != no_stream) call.check_array(numbers.data, leaf_name<L>);
    } else if constexpr (!is_number_leaf<L>) {
      check_view_array(call, view_for<L>(in), leaf_name<L>);
    }
  };
  (check(type_tag<Leaf>{}), ...);
}

/// Checks the array of every gradient that is asked for. Leaves: those of the program.
template <class Leaves, class Call, class... Request>
void check_gradient_arrays([[maybe_unused]] Call& call, Leaves, Request const&... requests) {
  [[maybe_unused]] auto const check = [&]<class R>(R const& request) {
    check_view_array(call, request.view, [] { return gradient_name<typename R::target>(Leaves{}); });
  };
  (check(requests), ...);
}

/// Checks one array of a graph, of `size` elements. Throws `invalid_argument` where it is null, too.
template <class Call>
void check_graph_array(Call& call, void const* data, std::int64_t size, char const* format, char const* array) {
  if (size <= 0) return;
  if (data == nullptr) throw invalid_argument(text("graph: the ", array, " of the ", format, " are a null pointer"));
  call.check_array(data, [&] { return joined("graph: ", format, ".", array); });
}

template <class Call, class Index, class Offset>
void check_format_arrays(Call& call, coo_view<Index, Offset> const& edges) {
  auto const size = static_cast<std::int64_t>(edges.num_edges);
  check_graph_array(call, edges.sources, size, "coo", "sources");
  check_graph_array(call, edges.destinations, size, "coo", "destinations");
  if (edges.edge_ids) check_graph_array(call, edges.edge_ids, size, "coo", "edge_ids");
}
template <class Call, class View>
requires requires(View const& rows) { rows.offsets; }
void check_format_arrays(Call& call, View const& rows) {
  auto const size = static_cast<std::int64_t>(rows.num_edges);
  if (rows.num_rows > 0) check_graph_array(call, rows.offsets, 1 + std::int64_t{rows.num_rows}, View::name, "offsets");
  check_graph_array(call, rows.neighbors, size, View::name, "neighbors");
  if (rows.edge_ids) check_graph_array(call, rows.edge_ids, size, View::name, "edge_ids");
  if constexpr (is_typed_edges<View>) {
    check_graph_array(call, rows.far_ends, size, View::name, "far_ends");
    check_graph_array(call, rows.edge_types, size, View::name, "edge_types");
  }
}

/// Checks the arrays of a graph. Throws `invalid_argument` where one that has elements is null, too.
template <class Call, class Format>
void check_graph_arrays(Call& call, graph<Format> const& g) {
  check_format_arrays(call, g.first);
}
template <class Call, class First, class Second>
void check_graph_arrays(Call& call, graph<First, Second> const& g) {
  check_format_arrays(call, g.first);
  check_format_arrays(call, g.second);
}
template <class Call, class First, class Index, class Offset>
void check_graph_arrays(Call& call, graph<First, typed_edges_view<Index, Offset>> const& g) {
  check_format_arrays(call, g.first);
  check_format_arrays(call, g.types);
}
template <class Call, class First, class Second, class Index, class Offset>
void check_graph_arrays(Call& call, graph<First, Second, typed_edges_view<Index, Offset>> const& g) {
  check_format_arrays(call, g.first);
  check_format_arrays(call, g.second);
  check_format_arrays(call, g.types);
}

}  // namespace edgewise::inline v0::detail
