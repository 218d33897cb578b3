// Coordinate edges: two endpoint arrays in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/graph_integers.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

/// Edges as pairs: position k holds sources[k] -> destinations[k], whose id is edge_ids[k], or k when edge_ids is null.
/// Shapes: all arrays [num_edges]. Non-owning; never validates.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct coo_view {
  static_assert(detail::require_graph_integers<Index, Offset>::ok);
  using index_type = Index;
  using offset_type = Offset;
  static constexpr char const* name = "coo";

  Index const* sources = nullptr;
  Index const* destinations = nullptr;
  Offset const* edge_ids = nullptr;
  Index source_count = 0;
  Index destination_count = 0;
  Offset num_edges = 0;

  EDGEWISE_HD Index num_destinations() const { return destination_count; }
  EDGEWISE_HD Index num_sources() const { return source_count; }
  EDGEWISE_HD Offset edge_id(Offset position) const { return edge_ids ? edge_ids[position] : position; }
};

/// Owns what a `coo_view` shows, in `Space`. Move-only; contents are fixed once it is made (format/make.hpp,
/// format/convert.hpp). It turns into its view by itself, but never as a temporary, whose view would dangle.
template <class Index = std::int32_t, class Offset = std::int32_t, class Space = host_space>
class coo {
  static_assert(detail::require_graph_integers<Index, Offset>::ok);

public:
  using index_type = Index;
  using offset_type = Offset;
  using view_type = coo_view<Index, Offset>;
  using space = Space;

  /// No vertices, no edges, no memory.
  coo() = default;

  /// Adopts the arrays; `edge_ids` may be empty. Checks sizes (`invalid_argument`), never contents.
  coo(vertex_counts counts, buffer<Index, Space> sources, buffer<Index, Space> destinations,
      buffer<Offset, Space> edge_ids = {})
      : num_sources_(detail::checked_count<Index>("coo", "num_sources", counts.sources)),
        num_destinations_(detail::checked_count<Index>("coo", "num_destinations", counts.destinations)),
        sources_(std::move(sources)),
        destinations_(std::move(destinations)),
        edge_ids_(std::move(edge_ids)) {
    detail::checked_count<Offset>("coo", "num_edges", static_cast<std::int64_t>(sources_.size()));
    detail::require_size("coo", "destinations", destinations_.size(), "num_edges", sources_.size());
    if (!edge_ids_.empty()) detail::require_size("coo", "edge_ids", edge_ids_.size(), "num_edges", sources_.size());
  }

  view_type view() const noexcept {
    return {sources_.data(), destinations_.data(), edge_ids_.data(),
            num_sources_,    num_destinations_,    static_cast<Offset>(sources_.size())};
  }
  operator view_type() const& noexcept { return view(); }
  operator view_type() const&& = delete;

  Index num_destinations() const noexcept { return num_destinations_; }
  Index num_sources() const noexcept { return num_sources_; }
  Offset num_edges() const noexcept { return static_cast<Offset>(sources_.size()); }
  vertex_counts counts() const noexcept { return {.sources = num_sources_, .destinations = num_destinations_}; }

  buffer<Index, Space> const& sources() const noexcept { return sources_; }
  buffer<Index, Space> const& destinations() const noexcept { return destinations_; }
  /// Empty when ids are positions.
  buffer<Offset, Space> const& edge_ids() const noexcept { return edge_ids_; }

  /// Where the arrays came from; null for a container that holds none.
  memory_resource* memory() const noexcept { return sources_.memory(); }

  /// Bytes of the arrays.
  std::size_t size_bytes() const noexcept {
    return sources_.size_bytes() + destinations_.size_bytes() + edge_ids_.size_bytes();
  }

private:
  Index num_sources_ = 0;
  Index num_destinations_ = 0;
  buffer<Index, Space> sources_;
  buffer<Index, Space> destinations_;
  buffer<Offset, Space> edge_ids_;
};

}  // namespace edgewise::inline v0
