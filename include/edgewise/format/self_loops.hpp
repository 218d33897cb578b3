// Self loops: adding and removing edges from a vertex to itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>

namespace edgewise::inline v0 {

/// What to do about edges from a vertex to itself.
enum class self_loops {
  add_to_all,         ///< one more self loop on every vertex, whatever is there
  add_where_missing,  ///< one self loop on every vertex that has none
  drop                ///< none is left
};

namespace detail {

template <class Index, class Offset>
void require_same_vertices(coo_view<Index, Offset> const& edges) {
  if (edges.source_count != edges.destination_count) {
    throw invalid_argument(text("with_self_loops: the graph has ", edges.source_count, " sources and ",
                                edges.destination_count, " destinations, must have the same vertices on both sides"));
  }
}

template <class Index, class Offset>
coo<Index, Offset> append_self_loops(cpu const& exec, coo_view<Index, Offset> const& edges,
                                     std::vector<Index> const& vertices) {
  auto const old_size = static_cast<std::size_t>(edges.num_edges);
  auto const size = old_size + vertices.size();
  checked_count<Offset>("with_self_loops", "num_edges", static_cast<std::int64_t>(size));
  host_buffer<Index> sources(size, exec.memory);
  host_buffer<Index> destinations(size, exec.memory);
  host_buffer<Offset> edge_ids(edges.edge_ids ? size : 0, exec.memory);
  for (std::size_t k = 0; k < size; ++k) {
    bool const is_new = k >= old_size;
    sources[k] = is_new ? vertices[k - old_size] : edges.sources[k];
    destinations[k] = is_new ? vertices[k - old_size] : edges.destinations[k];
    if (!edge_ids.empty()) edge_ids[k] = is_new ? static_cast<Offset>(k) : edges.edge_ids[k];
  }
  return {{.sources = edges.source_count, .destinations = edges.destination_count},
          std::move(sources),
          std::move(destinations),
          std::move(edge_ids)};
}

template <class Index, class Offset>
coo<Index, Offset> drop_self_loops(cpu const& exec, coo_view<Index, Offset> const& edges) {
  auto const old_size = static_cast<std::size_t>(edges.num_edges);
  std::vector<Offset> new_id(old_size, 0);  // by old id: 1 where kept, then how many kept ids are less
  std::size_t size = 0;
  for (std::size_t k = 0; k < old_size; ++k) {
    if (edges.sources[k] == edges.destinations[k]) continue;
    new_id[static_cast<std::size_t>(edges.edge_id(static_cast<Offset>(k)))] = 1;
    ++size;
  }
  Offset num_less = 0;
  for (auto& id : new_id) num_less += std::exchange(id, num_less);

  host_buffer<Index> sources(size, exec.memory);
  host_buffer<Index> destinations(size, exec.memory);
  host_buffer<Offset> edge_ids(edges.edge_ids ? size : 0, exec.memory);
  std::size_t at = 0;
  for (std::size_t k = 0; k < old_size; ++k) {
    if (edges.sources[k] == edges.destinations[k]) continue;
    sources[at] = edges.sources[k];
    destinations[at] = edges.destinations[k];
    if (!edge_ids.empty()) edge_ids[at] = new_id[static_cast<std::size_t>(edges.edge_ids[k])];
    ++at;
  }
  return {{.sources = edges.source_count, .destinations = edges.destination_count},
          std::move(sources),
          std::move(destinations),
          std::move(edge_ids)};
}

}  // namespace detail

/// A copy of a host coo with self loops added or dropped. Added edges come last, by ascending vertex, and take the next
/// ids; kept edges keep their order and their ids, except that `drop` closes the gaps: ids are renumbered in their
/// order, so edge data follow by leaving out the self loops' rows. Linear time. Throws `invalid_argument` where sources
/// and destinations differ in number.
template <class Index, class Offset>
coo<Index, Offset> with_self_loops(cpu const& exec, coo_view<Index, Offset> const& edges, self_loops policy) {
  detail::require_same_vertices(edges);
  if (policy == self_loops::drop) return detail::drop_self_loops(exec, edges);
  std::vector<bool> has_loop(static_cast<std::size_t>(edges.source_count), false);
  if (policy == self_loops::add_where_missing) {
    for (Offset k = 0; k < edges.num_edges; ++k) {
      if (edges.sources[k] == edges.destinations[k]) has_loop[static_cast<std::size_t>(edges.sources[k])] = true;
    }
  }
  std::vector<Index> added;
  for (Index v = 0; v < edges.source_count; ++v) {
    if (!has_loop[static_cast<std::size_t>(v)]) added.push_back(v);
  }
  return detail::append_self_loops(exec, edges, added);
}
template <class Index, class Offset>
coo<Index, Offset> with_self_loops(cpu const& exec, coo<Index, Offset> const& edges, self_loops policy) {
  return with_self_loops(exec, edges.view(), policy);
}

/// `with_self_loops`, by its two directions; of device edges with format/self_loops.cuh.
template <class Execution, class Edges>
auto add_self_loops(Execution const& exec, Edges const& edges, self_loops policy = self_loops::add_where_missing) {
  if (policy == self_loops::drop) throw invalid_argument("add_self_loops: the policy is drop; see remove_self_loops");
  return with_self_loops(exec, edges, policy);
}
template <class Execution, class Edges>
auto remove_self_loops(Execution const& exec, Edges const& edges) {
  return with_self_loops(exec, edges, self_loops::drop);
}

}  // namespace edgewise::inline v0
