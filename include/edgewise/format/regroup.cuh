// Grouping the edges of one graph after another in the same device memory: what a captured training step needs.
// Behind its own include, as format/convert.cuh is.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

/// Device memory for both groupings of graphs with these vertices and at most `num_edges` edges, and for the sorts that
/// make them. Construction allocates from `exec.memory`; `to_csr` and `to_csc` are asynchronous on `exec.stream`,
/// allocate nothing and may be captured. Their results are those of format/convert.cuh, and stay until the next call.
///
/// Padding: an edge from vertex num_sources to vertex num_destinations, one past the last of each side, is left out. So
/// graphs of fewer edges can be filled up to one size, with which a capture can be replayed; ids of real edges stay
/// what they are, and passes write no gradient of padding.
template <class Index = std::int32_t, class Offset = std::int32_t>
class regrouping {
public:
  /// Takes the memory, for work on `exec.stream`. Throws `invalid_argument` where Index or Offset cannot hold the
  /// counts, `cuda_error`, `std::bad_alloc`.
  regrouping(cuda const& exec, vertex_counts counts, std::int64_t num_edges)
      : num_sources_(detail::checked_count<Index>("regrouping", "num_sources", counts.sources)),
        num_destinations_(detail::checked_count<Index>("regrouping", "num_destinations", counts.destinations)),
        num_edges_(detail::checked_count<Offset>("regrouping", "num_edges", num_edges)) {
    detail::device_call const call(exec, "regrouping");
    by_destination_ = arrays_of(exec, counts.destinations, num_edges);
    by_source_ = arrays_of(exec, counts.sources, num_edges);
    space_ = {exec, counts.sources > counts.destinations ? counts.sources : counts.destinations, num_edges};
  }

  /// Views of the memory at full size: what a plan for this capacity is made of. Nothing is in it before `to_csr`.
  csr_view<Index, Offset> csr() const { return csr_of(num_edges_); }
  csc_view<Index, Offset> csc() const { return csc_of(num_edges_); }

  /// Groups edges in device memory by destination or by source: the view of `csr()` or `csc()`, of as many edges as
  /// `edges` has. Throws `invalid_argument` where the edges are more, or the vertices others, than this has memory for;
  /// `cuda_error`.
  csr_view<Index, Offset> to_csr(cuda const& exec, coo_view<Index, Offset> const& edges) {
    check(edges);
    detail::device_call const call(exec, "to_csr");
    detail::check_device_edges(call, edges);
    detail::group_into(exec, num_destinations_, edges.destinations, edges.sources, edges.edge_ids, edges.num_edges,
                       by_destination_.arrays(), space_);
    return csr_of(edges.num_edges);
  }
  csc_view<Index, Offset> to_csc(cuda const& exec, coo_view<Index, Offset> const& edges) {
    check(edges);
    detail::device_call const call(exec, "to_csc");
    detail::check_device_edges(call, edges);
    detail::group_into(exec, num_sources_, edges.sources, edges.destinations, edges.edge_ids, edges.num_edges,
                       by_source_.arrays(), space_);
    return csc_of(edges.num_edges);
  }

private:
  struct arrays_of {
    arrays_of() = default;
    arrays_of(cuda const& exec, std::int64_t num_rows, std::int64_t num_edges)
        : offsets(static_cast<std::size_t>(num_rows) + 1, detail::memory_of(exec), exec.stream),
          neighbors(static_cast<std::size_t>(num_edges), detail::memory_of(exec), exec.stream),
          edge_ids(static_cast<std::size_t>(num_edges), detail::memory_of(exec), exec.stream) {}
    detail::grouping_arrays<Index, Offset> arrays() { return {offsets.data(), neighbors.data(), edge_ids.data()}; }

    device_buffer<Offset> offsets;
    device_buffer<Index> neighbors;
    device_buffer<Offset> edge_ids;
  };

  csr_view<Index, Offset> csr_of(Offset num_edges) const {
    return {{by_destination_.offsets.data(), by_destination_.neighbors.data(), by_destination_.edge_ids.data(),
             num_destinations_, num_sources_, num_edges}};
  }
  csc_view<Index, Offset> csc_of(Offset num_edges) const {
    return {{by_source_.offsets.data(), by_source_.neighbors.data(), by_source_.edge_ids.data(), num_sources_,
             num_destinations_, num_edges}};
  }
  void check(coo_view<Index, Offset> const& edges) const {
    if (edges.source_count != num_sources_ || edges.destination_count != num_destinations_ ||
        edges.num_edges > num_edges_) {
      throw invalid_argument(detail::text("regrouping: the edges are ", edges.num_edges, " from ", edges.source_count,
                                          " to ", edges.destination_count, " vertices, the memory is for ", num_edges_,
                                          " from ", num_sources_, " to ", num_destinations_));
    }
  }

  Index num_sources_;
  Index num_destinations_;
  Offset num_edges_;
  arrays_of by_destination_;
  arrays_of by_source_;
  detail::sort_space<Index, Offset> space_;
};

}  // namespace edgewise::inline v0
