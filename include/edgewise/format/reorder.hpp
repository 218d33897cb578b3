// New orders of a graph's vertices, for locality or balance: an order is applied to the graph and its operands, and
// undone on outputs. On the device: format/reorder.cuh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_integers.hpp>

namespace edgewise::inline v0 {

/// A permutation of vertices: old_of_new[i] is the vertex that comes i-th, new_of_old its inverse. Shapes: [vertices].
template <class Index = std::int32_t, class Space = host_space>
struct vertex_order {
  static_assert(detail::require_graph_integers<Index>::ok);
  using index_type = Index;
  buffer<Index, Space> old_of_new;
  buffer<Index, Space> new_of_old;

  std::int64_t size() const { return static_cast<std::int64_t>(old_of_new.size()); }
};

/// A graph without directions: the vertices that v shares an edge with, once per edge, are neighbors[offsets[v]] to
/// neighbors[offsets[v + 1] - 1]. What orders are found on.
template <class Index>
struct undirected_graph {
  static_assert(detail::require_graph_integers<Index>::ok);
  std::vector<std::int64_t> offsets;  // [vertices + 1]
  std::vector<Index> neighbors;       // [2 E], of a self loop once

  Index num_vertices() const { return static_cast<Index>(offsets.size() - 1); }
  std::int64_t degree(Index v) const {
    return offsets[static_cast<std::size_t>(v) + 1] - offsets[static_cast<std::size_t>(v)];
  }
};

namespace detail {

template <class Edges, class Index>
concept order_of_other_type = !std::is_same_v<typename Edges::index_type, Index>;

template <class View>
void require_one_vertex_set(View const& edges, char const* call) {
  if (edges.num_sources() != edges.num_destinations()) {
    throw invalid_argument(text(call, ": the graph has ", edges.num_sources(), " sources and ",
                                edges.num_destinations(),
                                " destinations; one order needs the same vertices on both sides"));
  }
}

template <class View>
auto without_directions(View const& edges) {
  using Index = typename View::index_type;
  undirected_graph<Index> result;
  result.offsets.assign(static_cast<std::size_t>(edges.num_sources()) + 1, 0);
  auto const both_ways = [&](auto const& visit) {
    for_each_edge(edges, [&](auto, Index source, Index destination) {
      visit(source, destination);
      if (source != destination) visit(destination, source);
    });
  };
  both_ways([&](Index from, Index) { ++result.offsets[static_cast<std::size_t>(from) + 1]; });
  for (std::size_t v = 1; v < result.offsets.size(); ++v) result.offsets[v] += result.offsets[v - 1];
  result.neighbors.resize(static_cast<std::size_t>(result.offsets.back()));
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  both_ways([&](Index from, Index to) {
    result.neighbors[static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++)] = to;
  });
  return result;
}

template <class Policy, class Index>
struct require_order {
  static_assert(
      requires(Policy const& policy, undirected_graph<Index> const& graph) {
        std::vector<Index>(policy.vertices_in_order(graph));
      },
      "find_order: takes by_degree{}, reverse_cuthill_mckee{}, metis{} or a type with 'std::vector<Index> "
      "vertices_in_order(undirected_graph<Index> const&) const' (format/reorder.hpp)");
  static constexpr bool ok = true;
};

}  // namespace detail

/// The order with these vertices one after the other. Throws `invalid_argument` where they are no permutation.
template <class Index>
vertex_order<Index> make_vertex_order(cpu const& exec, std::vector<Index> const& old_of_new) {
  vertex_order<Index> order{host_buffer<Index>(old_of_new.size(), exec.memory),
                            host_buffer<Index>(old_of_new.size(), exec.memory)};
  for (Index& position : order.new_of_old) position = Index(-1);
  for (std::size_t k = 0; k < old_of_new.size(); ++k) {
    Index const v = old_of_new[k];
    if (v < 0 || static_cast<std::size_t>(v) >= old_of_new.size()) {
      throw invalid_argument(
          detail::text("vertex order: vertex ", v, " at position ", k, " is not in [0, ", old_of_new.size(), ")"));
    }
    if (order.new_of_old[static_cast<std::size_t>(v)] >= 0) {
      throw invalid_argument(detail::text("vertex order: vertex ", v, " comes twice"));
    }
    order.old_of_new[k] = v;
    order.new_of_old[static_cast<std::size_t>(v)] = static_cast<Index>(k);
  }
  return order;
}

/// The order of a policy (format/vertex_orders.hpp, vendor/metis.hpp) for a host graph of any format. Deterministic.
/// Throws `invalid_argument` where sources and destinations differ in number.
template <class Policy, graph_view View>
vertex_order<typename View::index_type> find_order(cpu const& exec, View const& edges, Policy const& policy) {
  using Index = typename View::index_type;
  static_assert(detail::require_order<Policy, Index>::ok);
  detail::require_one_vertex_set(edges, "find_order");
  return make_vertex_order<Index>(exec, policy.vertices_in_order(detail::without_directions(edges)));
}
template <class Policy, graph_container Container>
auto find_order(cpu const& exec, Container const& edges, Policy const& policy) {
  detail::require_same_space<cpu, Container>();
  return find_order(exec, edges.view(), policy);
}
template <class Policy, class... Formats>
auto find_order(cpu const& exec, graph<Formats...> const& g, Policy const& policy) {
  return find_order(exec, g.first, policy);
}

namespace detail {

template <class View, class Index>
void require_order_of(View const& edges, vertex_order<Index> const& order) {
  require_one_vertex_set(edges, "reorder");
  if (order.size() != static_cast<std::int64_t>(edges.num_sources())) {
    throw invalid_argument(
        text("reorder: the order has ", order.size(), " vertices, the graph has ", edges.num_sources()));
  }
}

template <class Container, class View>
Container reorder_rows(cpu const& exec, View const& rows, vertex_order<typename View::index_type> const& order) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  require_order_of(rows, order);
  auto const num_edges = static_cast<std::size_t>(rows.num_edges);
  host_buffer<Offset> offsets(static_cast<std::size_t>(rows.num_rows) + 1, exec.memory);
  host_buffer<Index> neighbors(num_edges, exec.memory);
  host_buffer<Offset> edge_ids(num_edges, exec.memory);
  std::size_t at = 0;
  offsets[0] = 0;
  for (Index row = 0; row < rows.num_rows; ++row) {
    Index const old = order.old_of_new[static_cast<std::size_t>(row)];
    for (Offset k = rows.offsets[old]; k < rows.offsets[old + 1]; ++k, ++at) {
      neighbors[at] = order.new_of_old[static_cast<std::size_t>(rows.neighbors[k])];
      edge_ids[at] = rows.edge_id(k);
    }
    offsets[static_cast<std::size_t>(row) + 1] = static_cast<Offset>(at);
  }
  return {{.sources = rows.num_sources(), .destinations = rows.num_destinations()},
          std::move(offsets),
          std::move(neighbors),
          std::move(edge_ids)};
}

}  // namespace detail

/// A copy of a host graph with its vertices in another order. Every edge keeps its id, so that operands of edges stay
/// as they are; edges of a row keep their order, so that a row's result is the same bits unless it is cut elsewhere;
/// pairs keep their positions. Linear time. Throws `invalid_argument` where sources and destinations differ in number,
/// or the order is of another number of vertices.
template <class Index, class Offset>
csr<Index, Offset> reorder(cpu const& exec, csr_view<Index, Offset> const& rows, vertex_order<Index> const& order) {
  return detail::reorder_rows<csr<Index, Offset>>(exec, rows, order);
}
template <class Index, class Offset>
csc<Index, Offset> reorder(cpu const& exec, csc_view<Index, Offset> const& rows, vertex_order<Index> const& order) {
  return detail::reorder_rows<csc<Index, Offset>>(exec, rows, order);
}
template <class Index, class Offset>
coo<Index, Offset> reorder(cpu const& exec, coo_view<Index, Offset> const& edges, vertex_order<Index> const& order) {
  detail::require_order_of(edges, order);
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);
  host_buffer<Index> sources(num_edges, exec.memory), destinations(num_edges, exec.memory);
  host_buffer<Offset> edge_ids(edges.edge_ids ? num_edges : 0, exec.memory);
  for (std::size_t k = 0; k < num_edges; ++k) {
    sources[k] = order.new_of_old[static_cast<std::size_t>(edges.sources[k])];
    destinations[k] = order.new_of_old[static_cast<std::size_t>(edges.destinations[k])];
    if (edges.edge_ids) edge_ids[k] = edges.edge_ids[k];
  }
  return {{.sources = edges.source_count, .destinations = edges.destination_count},
          std::move(sources),
          std::move(destinations),
          std::move(edge_ids)};
}
template <graph_container Container>
Container reorder(cpu const& exec, Container const& edges, vertex_order<typename Container::index_type> const& order) {
  detail::require_same_space<cpu, Container>();
  return reorder(exec, edges.view(), order);
}
/// Chosen where an order is of another type than the graph's vertices, to say so.
template <class Edges, class Index>
requires detail::order_of_other_type<Edges, Index>
void reorder(cpu const&, Edges const&, vertex_order<Index> const&) {
  static_assert(!detail::order_of_other_type<Edges, Index>,
                "reorder: the order must be of the type of the graph's vertex ids; make it of a "
                "std::vector<typename Container::index_type>");
}

namespace detail {

/// Rows of operands of a kind and type, in the order's number.
template <class From, class To>
void require_rows_of_order(From const& from, To const& to, std::int64_t vertices, char const* call) {
  static_assert(
      From::kind == To::kind && std::is_same_v<std::remove_const_t<typename From::value_type>, typename To::value_type>,
      "permute_rows, restore_rows: both views are of one kind and element type, the second not const");
  if (from.rows != vertices || to.rows != vertices || from.row_size() != to.row_size()) {
    throw invalid_argument(text(call, ": the order has ", vertices, " vertices, the views have ", from.rows, " and ",
                                to.rows, " rows of ", from.row_size(), " and ", to.row_size(), " elements"));
  }
}

/// to's row i = from's row rows[i].
template <class Index, class From, class To>
void copy_rows(host_buffer<Index> const& rows, From const& from, To const& to) {
  auto const bytes = static_cast<std::size_t>(from.row_size()) * sizeof(typename To::value_type);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(to.data + static_cast<std::int64_t>(i) * to.row_stride,
                from.data + static_cast<std::int64_t>(rows[i]) * from.row_stride, bytes);
  }
}

}  // namespace detail

/// Operands of vertices in a new order: row i of `to` = row old_of_new[i] of `from`. The views must not overlap. Throws
/// `invalid_argument` where shapes differ.
template <class Index, class T, class U, operand_kind Kind>
void permute_rows(cpu const&, vertex_order<Index> const& order, operand_view<T, Kind> const& from,
                  operand_view<U, Kind> const& to) {
  detail::require_rows_of_order(from, to, order.size(), "permute_rows");
  detail::copy_rows(order.old_of_new, from, to);
}
/// Undoes `permute_rows` on outputs and gradients of a reordered graph: row v of `to` = row new_of_old[v] of `from`.
template <class Index, class T, class U, operand_kind Kind>
void restore_rows(cpu const&, vertex_order<Index> const& order, operand_view<T, Kind> const& from,
                  operand_view<U, Kind> const& to) {
  detail::require_rows_of_order(from, to, order.size(), "restore_rows");
  detail::copy_rows(order.new_of_old, from, to);
}

}  // namespace edgewise::inline v0
