// Views of arrays that a program has already: nothing is copied.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <utility>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// The address behind a pointer, or behind a pointer-like object with `get()`, such as a thrust::device_ptr.
template <class T>
T* raw_pointer(T* pointer) {
  return pointer;
}
template <class Pointer>
requires requires(Pointer const& pointer) { pointer.get(); }
auto* raw_pointer(Pointer const& pointer) { return pointer.get(); }

template <class Array>
using array_element = std::remove_cvref_t<decltype(*raw_pointer(std::declval<Array const&>().data()))>;

/// Arrays that outlive the expression that names them: variables, and spans, which refer to others'.
template <class Array>
inline constexpr bool is_lasting =
    std::is_lvalue_reference_v<Array> || std::ranges::enable_borrowed_range<std::remove_cvref_t<Array>>;

/// Where edge ids are positions.
struct no_ids {};

template <class... Array>
struct require_lasting {
  static_assert(
      ((is_lasting<Array> || std::is_same_v<Array, no_ids>)&&...),
      "view_csr, view_csc, view_coo: an array is a temporary, and the view would dangle; give it a name, or pass "
      "a std::span of what has one (format/make_views.hpp)");
  static constexpr bool ok = true;
};

template <class Offset, class Ids>
Offset const* ids_of(char const* format, Ids const& ids, std::size_t num_edges) {
  if constexpr (std::is_same_v<Ids, no_ids>) {
    return nullptr;
  } else {
    static_assert(
        std::is_same_v<array_element<Ids>, Offset>,
        "view_csr, view_csc, view_coo: edge ids must have the type of offsets, in view_coo<Offset> that of its "
        "template argument, std::int32_t unless given (format/make_views.hpp)");
    require_size(format, "edge_ids", ids.size(), "num_edges", num_edges);
    return raw_pointer(ids.data());
  }
}

template <class View, class Offsets, class Neighbors, class Ids>
View view_grouping(std::int64_t num_rows, std::int64_t num_neighbors, Offsets const& offsets,
                   Neighbors const& neighbors, Ids const& ids) {
  using Index = typename View::index_type;
  using Offset = typename View::offset_type;
  auto const rows = checked_count<Index>(View::name, "num_rows", num_rows);
  auto const others = checked_count<Index>(View::name, "num_neighbors", num_neighbors);
  auto const edges = checked_count<Offset>(View::name, "num_edges", static_cast<std::int64_t>(neighbors.size()));
  require_size(View::name, "offsets", offsets.size(), "num_rows + 1", static_cast<std::size_t>(rows) + 1);
  return {{raw_pointer(offsets.data()), raw_pointer(neighbors.data()),
           ids_of<Offset>(View::name, ids, neighbors.size()), rows, others, edges}};
}

}  // namespace detail

/// Contiguous integers with `data()` and `size()`, in memory of host or device: std::vector, std::span,
/// thrust::device_vector, `host_buffer`, `device_buffer`.
template <class Array>
concept viewed_array = requires(std::remove_cvref_t<Array> const& array) {
  { array.size() } -> std::convertible_to<std::size_t>;
  requires std::integral<detail::array_element<std::remove_cvref_t<Array>>>;
};

/// A csr over arrays that stay where they are: row v owns neighbors[offsets[v]] .. neighbors[offsets[v + 1] - 1].
/// Shapes: offsets [destinations + 1], neighbors [E], edge_ids [E]; without edge_ids ids are positions. Index and
/// offset types are those of the arrays. Nothing is copied, and contents are not checked (`validate`). Throws
/// `invalid_argument` on wrong sizes. The arrays must outlive the view: a temporary does not compile, a span does.
template <viewed_array Offsets, viewed_array Neighbors, class Ids = detail::no_ids>
auto view_csr(vertex_counts counts, Offsets&& offsets, Neighbors&& neighbors, Ids&& edge_ids = {}) {
  static_assert(detail::require_lasting<Offsets, Neighbors, Ids>::ok);
  using view = csr_view<detail::array_element<std::remove_cvref_t<Neighbors>>,
                        detail::array_element<std::remove_cvref_t<Offsets>>>;
  return detail::view_grouping<view>(counts.destinations, counts.sources, offsets, neighbors, edge_ids);
}
/// A csc over arrays that stay where they are: row u owns neighbors[offsets[u]] .. neighbors[offsets[u + 1] - 1].
/// Shapes: offsets [sources + 1], neighbors [E], edge_ids [E]. Errors as `view_csr`.
template <viewed_array Offsets, viewed_array Neighbors, class Ids = detail::no_ids>
auto view_csc(vertex_counts counts, Offsets&& offsets, Neighbors&& neighbors, Ids&& edge_ids = {}) {
  static_assert(detail::require_lasting<Offsets, Neighbors, Ids>::ok);
  using view = csc_view<detail::array_element<std::remove_cvref_t<Neighbors>>,
                        detail::array_element<std::remove_cvref_t<Offsets>>>;
  return detail::view_grouping<view>(counts.sources, counts.destinations, offsets, neighbors, edge_ids);
}
/// A coo over arrays that stay where they are: edge k goes sources[k] -> destinations[k]. Shapes: all [E]. `Offset`,
/// the type of edge counts and ids, is 32 bits unless given. Errors as `view_csr`.
template <class Offset = std::int32_t, viewed_array Sources, viewed_array Destinations, class Ids = detail::no_ids>
auto view_coo(vertex_counts counts, Sources&& sources, Destinations&& destinations, Ids&& edge_ids = {}) {
  static_assert(detail::require_lasting<Sources, Destinations, Ids>::ok);
  using Index = detail::array_element<std::remove_cvref_t<Sources>>;
  static_assert(std::is_same_v<Index, detail::array_element<std::remove_cvref_t<Destinations>>>,
                "view_coo: sources and destinations must have the same element type");
  std::size_t const edges = sources.size();
  detail::require_size("coo", "destinations", destinations.size(), "num_edges", edges);
  return coo_view<Index, Offset>{detail::raw_pointer(sources.data()),
                                 detail::raw_pointer(destinations.data()),
                                 detail::ids_of<Offset>("coo", edge_ids, edges),
                                 detail::checked_count<Index>("coo", "num_sources", counts.sources),
                                 detail::checked_count<Index>("coo", "num_destinations", counts.destinations),
                                 detail::checked_count<Offset>("coo", "num_edges", static_cast<std::int64_t>(edges))};
}

}  // namespace edgewise::inline v0
