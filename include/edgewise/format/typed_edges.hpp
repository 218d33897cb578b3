// The types of edges, and the edges grouped by them: what operands by type read, and what their gradients walk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/for_each_edge.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

/// Edges grouped by type: row t lists the edges of type t, position k of which goes far_ends[k] -> neighbors[k].
/// `edge_types` is the type of each edge, by edge id. Of a graph it is the last format, `graph{csr, csc, types}`.
/// Shapes: offsets [num_types + 1], the others [num_edges]. Non-owning; never validates.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct typed_edges_view : grouping_view<Index, Offset> {
  static constexpr char const* name = "typed_edges";
  Index source_count = 0;

  EDGEWISE_HD Index num_types() const { return this->num_rows; }
  EDGEWISE_HD Index num_destinations() const { return this->num_neighbors; }
  EDGEWISE_HD Index num_sources() const { return source_count; }
};

/// Owns what a `typed_edges_view` shows, in `Space`. Move-only; contents are fixed once it is made (`to_typed_edges`).
/// It turns into its view by itself, but never as a temporary, whose view would dangle.
template <class Index = std::int32_t, class Offset = std::int32_t, class Space = host_space>
class typed_edges {
public:
  using index_type = Index;
  using offset_type = Offset;
  using view_type = typed_edges_view<Index, Offset>;
  using space = Space;

  /// The arrays of a view.
  struct arrays {
    buffer<Offset, Space> offsets;
    buffer<Index, Space> sources;
    buffer<Index, Space> destinations;
    buffer<Offset, Space> edge_ids;
    buffer<Index, Space> edge_types;
  };

  /// No types, no edges, no memory.
  typed_edges() = default;

  /// Adopts the arrays. Checks sizes (`invalid_argument`), never contents.
  typed_edges(vertex_counts counts, std::int64_t num_types, arrays made)
      : num_types_(detail::checked_count<Index>("typed_edges", "num_types", num_types)),
        num_sources_(detail::checked_count<Index>("typed_edges", "num_sources", counts.sources)),
        num_destinations_(detail::checked_count<Index>("typed_edges", "num_destinations", counts.destinations)),
        arrays_(std::move(made)) {
    std::size_t const num_edges = arrays_.destinations.size();
    detail::checked_count<Offset>("typed_edges", "num_edges", static_cast<std::int64_t>(num_edges));
    detail::require_size("typed_edges", "offsets", arrays_.offsets.size(), "num_types + 1",
                         static_cast<std::size_t>(num_types) + 1);
    detail::require_size("typed_edges", "sources", arrays_.sources.size(), "num_edges", num_edges);
    detail::require_size("typed_edges", "edge_ids", arrays_.edge_ids.size(), "num_edges", num_edges);
    detail::require_size("typed_edges", "edge_types", arrays_.edge_types.size(), "num_edges", num_edges);
  }

  view_type view() const noexcept {
    return {{arrays_.offsets.data(), arrays_.destinations.data(), arrays_.edge_ids.data(), num_types_,
             num_destinations_, num_edges(), arrays_.edge_types.data(), arrays_.sources.data()},
            num_sources_};
  }
  operator view_type() const& noexcept { return view(); }
  operator view_type() const&& = delete;

  Index num_types() const noexcept { return num_types_; }
  Index num_destinations() const noexcept { return num_destinations_; }
  Index num_sources() const noexcept { return num_sources_; }
  Offset num_edges() const noexcept { return static_cast<Offset>(arrays_.destinations.size()); }
  vertex_counts counts() const noexcept { return {.sources = num_sources_, .destinations = num_destinations_}; }

  buffer<Offset, Space> const& offsets() const noexcept { return arrays_.offsets; }
  buffer<Index, Space> const& sources() const noexcept { return arrays_.sources; }
  buffer<Index, Space> const& destinations() const noexcept { return arrays_.destinations; }
  buffer<Offset, Space> const& edge_ids() const noexcept { return arrays_.edge_ids; }
  /// By edge id.
  buffer<Index, Space> const& edge_types() const noexcept { return arrays_.edge_types; }

  /// Where the arrays came from; null for a container that holds none.
  memory_resource* memory() const noexcept { return arrays_.offsets.memory(); }

  /// Bytes of the arrays.
  std::size_t size_bytes() const noexcept {
    return arrays_.offsets.size_bytes() + arrays_.sources.size_bytes() + arrays_.destinations.size_bytes() +
           arrays_.edge_ids.size_bytes() + arrays_.edge_types.size_bytes();
  }

private:
  Index num_types_ = 0;
  Index num_sources_ = 0;
  Index num_destinations_ = 0;
  arrays arrays_;
};

namespace detail {

template <class View>
inline constexpr bool is_typed_edges = false;
template <class Index, class Offset>
inline constexpr bool is_typed_edges<typed_edges_view<Index, Offset>> = true;

/// Throws `invalid_argument` unless there is a type for each edge, and none too large or negative; names the first edge
/// that has one.
template <class Index>
void check_edge_types(std::int64_t num_edges, std::span<Index const> types, std::int64_t num_types) {
  require_size("typed_edges", "types", types.size(), "num_edges", static_cast<std::size_t>(num_edges));
  for (std::size_t e = 0; e < types.size(); ++e) {
    if (types[e] < 0 || static_cast<std::int64_t>(types[e]) >= num_types) {
      throw invalid_argument(text("typed_edges: types[", e, "] = ", types[e], ", there are ", num_types, " types"));
    }
  }
}

}  // namespace detail

/// The edges of a host graph by type. `types`: the type of each edge, by edge id, below `num_types`. Edges of a type
/// keep the order that they have in `edges`: give it the csr, so that gradients read rows of destinations one after the
/// other. Linear. Throws `invalid_argument` naming the first edge with a wrong type.
template <graph_view View>
typed_edges<typename View::index_type, typename View::offset_type> to_typed_edges(
    cpu const& exec, View const& edges, std::span<typename View::index_type const> types, std::int64_t num_types) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);
  detail::checked_count<Index>("typed_edges", "num_types", num_types);
  detail::check_edge_types(static_cast<std::int64_t>(edges.num_edges), types, num_types);
  typename typed_edges<Index, Offset>::arrays made{
      .offsets = host_buffer<Offset>(static_cast<std::size_t>(num_types) + 1, exec.memory),
      .sources = host_buffer<Index>(num_edges, exec.memory),
      .destinations = host_buffer<Index>(num_edges, exec.memory),
      .edge_ids = host_buffer<Offset>(num_edges, exec.memory),
      .edge_types = host_buffer<Index>(num_edges, exec.memory)};
  std::copy(types.begin(), types.end(), made.edge_types.begin());
  std::fill(made.offsets.begin(), made.offsets.end(), Offset{0});
  for (Index const type : types) ++made.offsets[static_cast<std::size_t>(type) + 1];
  for (std::size_t t = 0; t < static_cast<std::size_t>(num_types); ++t) made.offsets[t + 1] += made.offsets[t];
  host_buffer<Offset> next(static_cast<std::size_t>(num_types), exec.memory);  // the next free position of every type
  std::copy(made.offsets.begin(), made.offsets.begin() + num_types, next.begin());
  for_each_edge(edges, [&](Offset position, Index source, Index destination) {
    Offset const id = edges.edge_id(position);
    auto const type = static_cast<std::size_t>(types[static_cast<std::size_t>(id)]);
    auto const at = static_cast<std::size_t>(next[type]++);
    made.sources[at] = source;
    made.destinations[at] = destination;
    made.edge_ids[at] = id;
  });
  return {{.sources = edges.num_sources(), .destinations = edges.num_destinations()}, num_types, std::move(made)};
}
template <graph_container Container>
auto to_typed_edges(cpu const& exec, Container const& edges, std::span<typename Container::index_type const> types,
                    std::int64_t num_types) {
  detail::require_same_space<cpu, Container>();
  return to_typed_edges(exec, edges.view(), types, num_types);
}

}  // namespace edgewise::inline v0
