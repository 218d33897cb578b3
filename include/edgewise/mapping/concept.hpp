// The contract of mappings over grouped edges: a name, and the split for a grouping of some size.
//
//   struct my_mapping {
//     static constexpr char const* name = "my_mapping";              // in plan.explain()
//     row_split split(workload work) const { return {.max_edges = balanced_length(work)}; }
//   };
//
// `split` returns `row_split`, `row_per_group`, `dynamic_rows`, `edge_split` or another `work_split`
// (mapping/work_split.hpp): the type decides the kernels, its numbers are run-time data. A plan asks once for each
// grouping. A mapping that decides by the degrees of the rows also has `degree_use uses_degrees() const` and
// `split(degree_histogram const&) const` of the same type (mapping/degree_aware.hpp). Laws: `split` is a pure function
// of what it is given and the mapping's own members; positive lengths. Whatever it returns, every edge is taken exactly
// once and every row finished exactly once.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

struct automatic;
struct edge_balanced;
template <bool ReadsTf32>
struct basic_tensor_core;

namespace detail {

template <class Mapping>
inline constexpr bool is_tensor_core = false;
template <bool ReadsTf32>
inline constexpr bool is_tensor_core<basic_tensor_core<ReadsTf32>> = true;

template <class Mapping>
concept has_mapping_name = requires {
  { Mapping::name } -> std::convertible_to<char const*>;
};
template <class Mapping>
concept has_split = requires(Mapping const& mapping, workload work) {
  mapping.split(work);
};
template <class Mapping>
struct split_of_mapping {
  using type = void;
};
template <has_split Mapping>
struct split_of_mapping<Mapping> {
  using type = decltype(std::declval<Mapping const&>().split(workload{}));
};
template <class Mapping>
using split_of = typename split_of_mapping<Mapping>::type;

template <class Mapping>
concept has_uses_degrees = requires(Mapping const& mapping) {
  mapping.uses_degrees();
};
/// Mappings that may ask for the degrees of a grouping.
template <class Mapping>
concept splits_by_degree = requires(Mapping const& mapping, degree_histogram const& degrees) {
  { mapping.uses_degrees() } -> std::same_as<degree_use>;
  { mapping.split(degrees) } -> std::same_as<split_of<Mapping>>;
};

template <class Format>
concept has_windows_of_tiles = requires(Format const& format) {
  format.window_tiles;
};
/// Are all formats of a graph tiled?
template <class Graph>
inline constexpr bool is_graph_of_tiles = false;
template <class... Format>
inline constexpr bool is_graph_of_tiles<graph<Format...>> = (has_windows_of_tiles<Format> && ...);

template <class Graph>
struct is_ungrouped : std::false_type {};
template <class Index, class Offset>
struct is_ungrouped<graph<coo_view<Index, Offset>>> : std::true_type {};

/// Refuses, part by part, what is no mapping for graphs of this type.
template <class Graph, class Mapping>
struct require_mapping {
  static_assert(has_mapping_name<Mapping>, "mapping: needs 'static constexpr char const* name' (mapping/concept.hpp)");
  static_assert(has_split<Mapping>, "mapping: needs 'split(workload) const' (mapping/concept.hpp)");
  static_assert(!has_split<Mapping> || work_split<split_of<Mapping>>,
                "mapping: split(workload) returns row_split, row_per_group, dynamic_rows, edge_split or another "
                "work_split, with a "
                "name, a for_each_number over std::int64_t, and == (mapping/work_split.hpp)");
  static_assert(
      !has_uses_degrees<Mapping> || splits_by_degree<Mapping>,
      "mapping: uses_degrees() returns degree_use, and goes with a split(degree_histogram const&) of the same "
      "type as split(workload) (mapping/concept.hpp)");
  static_assert(
      !is_ungrouped<Graph>::value || std::same_as<Mapping, edge_balanced> || std::same_as<Mapping, automatic>,
      "mapping: the edges of graph{coo} are not grouped: edge_balanced takes them so, automatic groups them; convert "
      "with to_csr for this mapping (mapping/concept.hpp)");
  static_assert(!is_tensor_core<Mapping> || is_graph_of_tiles<Graph>,
                "mapping: tensor_core walks tiles, and this graph has none; convert with to_wsb (format/to_wsb.hpp); "
                "graphs whose "
                "edges have types have none either");
  static constexpr bool ok = true;
};

}  // namespace detail
}  // namespace edgewise::inline v0
