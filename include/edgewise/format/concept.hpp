// The contracts that functions over graphs ask of formats: a view to read edges from, a container that owns one.
#pragma once

#include <concepts>
#include <type_traits>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0 {

/// Edges of any format: trivially copyable, with vertex counts, an edge count and the id of the edge at a position.
/// Laws: ids are a permutation of [0, num_edges); endpoints are below the counts.
template <class View>
concept graph_view = std::is_trivially_copyable_v<View> &&
    requires(View const& view, typename View::offset_type position) {
  typename View::index_type;
  { view.num_sources() } -> std::same_as<typename View::index_type>;
  { view.num_destinations() } -> std::same_as<typename View::index_type>;
  { view.num_edges } -> std::convertible_to<typename View::offset_type>;
  { view.edge_id(position) } -> std::same_as<typename View::offset_type>;
};

/// A graph view whose edges lie in rows, such as `csr_view` and `csc_view`.
template <class View>
concept grouped_view = graph_view<View> && requires(View const& view) {
  View::grouped_by;
  view.offsets;
  view.neighbors;
};

namespace detail {

template <class View, endpoint E>
inline constexpr bool is_rows_by = false;
template <grouped_view View, endpoint E>
inline constexpr bool is_rows_by<View, E> = View::grouped_by == E;

/// Says what a format lacks to be `rows_by<View, E>`.
template <class View, endpoint E>
struct require_rows {
  static constexpr bool has_grouped_by = requires { View::grouped_by; };
  static_assert(has_grouped_by,
                "graph: a format of rows needs 'static constexpr endpoint grouped_by' (format/concept.hpp)");
  static_assert(!has_grouped_by || is_rows_by<View, E> || !graph_view<View>,
                "graph: of two formats the first is grouped by destination, the second by source, graph{csr, csc} "
                "(format/concept.hpp)");
  static_assert(
      requires {
        { View::name } -> std::convertible_to<char const*>;
      },
      "graph: a format of rows needs 'static constexpr char const* name' (format/concept.hpp)");
  static_assert(graph_view<View>,
                "graph: a format of rows is trivially copyable and needs 'index_type num_sources() const' and "
                "'index_type num_destinations() const' (format/concept.hpp)");
  static_assert(std::derived_from<View, grouping_view<typename View::index_type, typename View::offset_type>>,
                "graph: a format of rows inherits grouping_view<index_type, offset_type> (format/grouping.hpp)");
  static constexpr bool ok = true;
};

/// A format whose rows plans walk: of edges that share their endpoint E, laid out as `grouping_view` says, whose
/// members it inherits. `name` stands in messages.
template <class View, endpoint E>
concept rows_by = is_rows_by<View, E> &&
    std::derived_from<View, grouping_view<typename View::index_type, typename View::offset_type>> && requires {
  { View::name } -> std::convertible_to<char const*>;
};

}  // namespace detail

/// What owns the arrays of a view, in the memory space that its type names.
template <class Container>
concept graph_container = requires(Container const& container) {
  typename Container::space;
  { container.view() } -> std::same_as<typename Container::view_type>;
  requires graph_view<typename Container::view_type>;
};

namespace detail {

/// Refuses a container that lies where the execution resource cannot read it.
template <class Resource, class Container>
constexpr void require_same_space() {
  static_assert(std::is_same_v<typename Resource::space, typename Container::space>,
                "graph container: 'cpu' reads host_space, 'cuda' reads device_space; copy with to_device or to_host "
                "(format/copy.cuh)");
}

}  // namespace detail
}  // namespace edgewise::inline v0
