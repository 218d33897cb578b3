// Checks of untrusted host graphs: kernels assume what these functions verify.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/concept.hpp>
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

/// Checks the one format of a graph.
template <class Format>
void validate(graph<Format> const& g) {
  validate(g.first);
}

namespace detail {

/// The edge of the least id whose endpoints differ between two valid groupings of as many edges, as text; empty where
/// there is none. Linear; takes 2 indices per edge of memory.
template <class Index, class Offset>
std::string first_difference(csr_view<Index, Offset> const& csr, csc_view<Index, Offset> const& csc) {
  auto const num_edges = static_cast<std::size_t>(csr.num_edges);
  std::vector<Index> source(num_edges), destination(num_edges);  // by edge id, as the csr has them
  for (Index v = 0; v < csr.num_rows; ++v) {
    for (Offset k = csr.offsets[v]; k < csr.offsets[v + 1]; ++k) {
      auto const id = static_cast<std::size_t>(csr.edge_id(k));
      source[id] = csr.neighbors[k];
      destination[id] = v;
    }
  }
  std::string difference;
  auto first = static_cast<std::int64_t>(num_edges);
  for (Index u = 0; u < csc.num_rows; ++u) {
    for (Offset k = csc.offsets[u]; k < csc.offsets[u + 1]; ++k) {
      auto const id = static_cast<std::int64_t>(csc.edge_id(k));
      auto const at = static_cast<std::size_t>(id);
      if (id < first && (source[at] != u || destination[at] != csc.neighbors[k])) {
        first = id;
        difference = text("edge ", id, " is ", source[at], " -> ", destination[at], " in csr, but ", u, " -> ",
                          csc.neighbors[k], " in csc");
      }
    }
  }
  return difference;
}

}  // namespace detail

/// Checks both groupings and that they hold the same edges under the same ids; the message of a difference names the
/// least edge id. Linear; takes 2 indices per edge of memory.
template <class Index, class Offset>
void validate(graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g) {
  validate(g.first);
  validate(g.second);
  detail::require_same_counts(g);
  auto const difference = detail::first_difference(g.first, g.second);
  if (!difference.empty()) throw invalid_argument("graph: " + difference);
}

/// A host container is checked as its view; one in device memory does not compile here.
template <graph_container Container>
void validate(Container const& container) {
  static_assert(std::is_same_v<typename Container::space, host_space>,
                "validate: a container in device memory needs validate(cuda, container) (format/validate.cuh)");
  validate(container.view());
}

}  // namespace edgewise::inline v0
