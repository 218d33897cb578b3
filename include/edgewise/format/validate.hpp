// Checks of untrusted host graphs: kernels assume what these functions verify.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// Whether a function that takes arrays checks their contents.
enum class validation { off, on };

namespace detail {

/// Negative values and values of at least `count` are outside, whatever the signedness of T.
template <class T>
bool in_range(T value, std::int64_t count) {
  return static_cast<std::int64_t>(value) >= 0 && static_cast<std::int64_t>(value) < count;
}

template <class Index>
void require_in_range(char const* format, char const* array, Index const* values, std::int64_t size, std::int64_t count,
                      char const* side, char const* owner = "the graph") {
  for (std::int64_t k = 0; k < size; ++k) {
    if (!in_range(values[k], count)) {
      throw invalid_argument(
          text(format, ": ", array, "[", k, "] = ", values[k], ", but ", owner, " has ", count, " ", side));
    }
  }
}

/// Edge ids must be a permutation of [0, num_edges): every edge operand has exactly one row per edge.
template <class Offset>
void require_permutation(char const* format, Offset const* edge_ids, std::int64_t num_edges) {
  std::vector<Offset> position_of(static_cast<std::size_t>(num_edges), static_cast<Offset>(-1));
  for (std::int64_t k = 0; k < num_edges; ++k) {
    if (!in_range(edge_ids[k], num_edges)) {
      throw invalid_argument(
          text(format, ": edge_ids[", k, "] = ", edge_ids[k], ", but the graph has ", num_edges, " edges"));
    }
    auto& position = position_of[static_cast<std::size_t>(edge_ids[k])];
    if (position != static_cast<Offset>(-1)) {
      throw invalid_argument(text(format, ": edge_ids[", k, "] = ", edge_ids[k], ", which edge_ids[", position,
                                  "] is already; ids must be a permutation of 0 .. ", num_edges - 1));
    }
    position = static_cast<Offset>(k);
  }
}

inline void require_pointer(char const* format, char const* array, void const* pointer, std::int64_t size) {
  if (size > 0 && pointer == nullptr) {
    throw invalid_argument(text(format, ": ", array, " is null, must have ", size, " elements"));
  }
}

template <class Count>
void require_not_negative(char const* format, char const* what, Count count) {
  if (static_cast<std::int64_t>(count) < 0) {
    throw invalid_argument(text(format, ": ", what, " = ", count, ", must not be negative"));
  }
}

template <class Index, class Offset>
void validate_offsets(char const* format, grouping_view<Index, Offset> const& rows) {
  if (rows.offsets == nullptr && rows.num_rows == 0 && rows.num_edges == 0) return;  // a default-made view
  auto const num_rows = static_cast<std::int64_t>(rows.num_rows);
  require_pointer(format, "offsets", rows.offsets, num_rows + 1);
  if (rows.offsets[0] != 0) throw invalid_argument(text(format, ": offsets[0] = ", rows.offsets[0], ", must be 0"));
  for (std::int64_t r = 1; r <= num_rows; ++r) {
    if (rows.offsets[r] < rows.offsets[r - 1]) {
      throw invalid_argument(text(format, ": offsets[", r, "] = ", rows.offsets[r], " is less than offsets[", r - 1,
                                  "] = ", rows.offsets[r - 1]));
    }
    if (rows.offsets[r] > rows.num_edges) {
      throw invalid_argument(
          text(format, ": offsets[", r, "] = ", rows.offsets[r], ", but the graph has ", rows.num_edges, " edges"));
    }
  }
  if (rows.offsets[num_rows] != rows.num_edges) {
    throw invalid_argument(text(format, ": offsets[", num_rows, "] = ", rows.offsets[num_rows],
                                ", must be the number of edges ", rows.num_edges));
  }
}

template <class Index, class Offset>
void validate_grouping(char const* format, grouping_view<Index, Offset> const& rows, char const* neighbor_side) {
  require_not_negative(format, "num_rows", rows.num_rows);
  require_not_negative(format, "num_neighbors", rows.num_neighbors);
  require_not_negative(format, "num_edges", rows.num_edges);
  validate_offsets(format, rows);
  auto const num_edges = static_cast<std::int64_t>(rows.num_edges);
  require_pointer(format, "neighbors", rows.neighbors, num_edges);
  require_in_range(format, "neighbors", rows.neighbors, num_edges, rows.num_neighbors, neighbor_side);
  if (rows.edge_ids) require_permutation(format, rows.edge_ids, num_edges);
}

}  // namespace detail

/// Checks a host csr: offsets start at 0, never fall and end at num_edges; neighbors are sources; edge ids, where
/// given, are a permutation. Linear; takes 1 offset per edge of memory where ids are given. Throws `invalid_argument`
/// naming the first bad index and the limit it broke. The device's form: format/validate.cuh.
template <class Index, class Offset>
void validate(csr_view<Index, Offset> const& csr) {
  detail::validate_grouping("csr", csr, "sources");
}

/// Checks a host csc as the csr above; neighbors are destinations.
template <class Index, class Offset>
void validate(csc_view<Index, Offset> const& csc) {
  detail::validate_grouping("csc", csc, "destinations");
}

/// Checks a host coo: both endpoints in range, edge ids, where given, a permutation. Errors as above.
template <class Index, class Offset>
void validate(coo_view<Index, Offset> const& coo) {
  detail::require_not_negative("coo", "num_sources", coo.source_count);
  detail::require_not_negative("coo", "num_destinations", coo.destination_count);
  detail::require_not_negative("coo", "num_edges", coo.num_edges);
  auto const num_edges = static_cast<std::int64_t>(coo.num_edges);
  detail::require_pointer("coo", "sources", coo.sources, num_edges);
  detail::require_pointer("coo", "destinations", coo.destinations, num_edges);
  detail::require_in_range("coo", "sources", coo.sources, num_edges, coo.source_count, "sources");
  detail::require_in_range("coo", "destinations", coo.destinations, num_edges, coo.destination_count, "destinations");
  if (coo.edge_ids) detail::require_permutation("coo", coo.edge_ids, num_edges);
}

/// Checks the types of edges in host memory: both endpoints and all types in range, ids a permutation, and every edge
/// in the row of its type. Errors as above.
template <class Index, class Offset>
void validate(typed_edges_view<Index, Offset> const& edges) {
  auto const num_edges = static_cast<std::int64_t>(edges.num_edges);
  detail::require_not_negative("typed_edges", "num_sources", edges.source_count);
  detail::validate_grouping("typed_edges", edges, "destinations");
  detail::require_pointer("typed_edges", "far_ends", edges.far_ends, num_edges);
  detail::require_in_range("typed_edges", "far_ends", edges.far_ends, num_edges, edges.source_count, "sources");
  detail::require_pointer("typed_edges", "edge_types", edges.edge_types, num_edges);
  detail::require_in_range("typed_edges", "edge_types", edges.edge_types, num_edges, edges.num_types(), "edge types");
  for (Index type = 0; type < edges.num_types(); ++type) {
    for (Offset k = edges.offsets[type]; k < edges.offsets[type + 1]; ++k) {
      Offset const id = edges.edge_id(k);
      if (edges.edge_types[id] == type) continue;
      throw invalid_argument(detail::text("typed_edges: position ", k, " is in the row of type ", type, ", but edge ",
                                          id, " is of type ", edges.edge_types[id]));
    }
  }
}

/// Checks the one format of a graph.
template <class Format>
void validate(graph<Format> const& g) {
  validate(g.first);
}

namespace detail {

/// The edge of the least id whose endpoints differ between two valid groupings of as many edges, as text; empty where
/// there is none. Linear; takes 2 indices per edge of memory.
template <class First, class Second>
std::string first_difference(First const& first, Second const& second) {
  using Index = typename First::index_type;
  using Offset = typename First::offset_type;
  auto const num_edges = static_cast<std::size_t>(first.num_edges);
  std::vector<Index> source(num_edges), destination(num_edges);  // by edge id, as the first has them
  for_each_edge(first, [&](Offset k, Index u, Index v) {
    auto const id = static_cast<std::size_t>(first.edge_id(k));
    source[id] = u;
    destination[id] = v;
  });
  std::string difference;
  auto least = static_cast<std::int64_t>(num_edges);
  for_each_edge(second, [&](Offset k, Index u, Index v) {
    auto const id = static_cast<std::int64_t>(second.edge_id(k));
    auto const at = static_cast<std::size_t>(id);
    if (id >= least || (source[at] == u && destination[at] == v)) return;
    least = id;
    difference = text("edge ", id, " is ", source[at], " -> ", destination[at], " in ", First::name, ", but ", u,
                      " -> ", v, " in ", Second::name);
  });
  return difference;
}

/// Throws `invalid_argument` unless two valid formats hold the same edges under the same ids.
template <class First, class Second>
void require_no_difference(First const& first, Second const& second) {
  require_same_counts(first, second);
  auto const difference = first_difference(first, second);
  if (!difference.empty()) throw invalid_argument("graph: " + difference);
}

}  // namespace detail

/// Checks both groupings and that they hold the same edges under the same ids; the message of a difference names the
/// least edge id. Linear; takes 2 indices per edge of memory.
template <class Index, class Offset>
void validate(graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g) {
  validate(g.first);
  validate(g.second);
  detail::require_no_difference(g.first, g.second);
}

/// Checks a graph whose edges have types, likewise.
template <class Format, class Index, class Offset>
void validate(graph<Format, typed_edges_view<Index, Offset>> const& g) {
  validate(g.first);
  validate(g.types);
  detail::require_no_difference(g.first, g.types);
}
template <class First, class Second, class Index, class Offset>
void validate(graph<First, Second, typed_edges_view<Index, Offset>> const& g) {
  validate(graph<First, Second>(g));
  validate(g.types);
  detail::require_no_difference(g.first, g.types);
}

/// A host container is checked as its view; one in device memory does not compile here.
template <graph_container Container>
void validate(Container const& container) {
  static_assert(std::is_same_v<typename Container::space, host_space>,
                "validate: a container in device memory needs validate(cuda, container) (format/validate.cuh)");
  validate(container.view());
}

}  // namespace edgewise::inline v0
