// The contract of mappings over grouped edges: a name, and the deal for a grouping of some size.
//
//   struct my_mapping {
//     static constexpr char const* name = "my_mapping";              // in plan.explain()
//     row_pieces deal(workload size) const { return {.longest = balanced_length(size)}; }
//   };
//
// `deal` returns `row_pieces`, `whole_rows`, `queued_rows` or `edge_shares` (mapping/deal.hpp): the type decides the
// kernels, its numbers are run-time data. A plan asks once for each grouping. A mapping that decides by the degrees of
// the rows also has `degree_use uses_degrees() const` and `deal(degree_histogram const&) const` of the same type
// (mapping/degree_aware.hpp). Laws: `deal` is a pure function of what it is given and the mapping's own members;
// positive lengths. Whatever it returns, every edge is taken exactly once and every row finished exactly once.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/mapping/deal.hpp>
#include <edgewise/mapping/degree_histogram.hpp>

namespace edgewise {

struct automatic;
struct edge_balanced;

namespace detail {

template <class Mapping>
concept has_mapping_name = requires {
  { Mapping::name } -> std::convertible_to<char const*>;
};
template <class Mapping>
concept has_deal = requires(Mapping const& mapping, workload work) {
  mapping.deal(work);
};
template <class Deal>
concept known_deal = std::same_as<Deal, row_pieces> || std::same_as<Deal, whole_rows> ||
    std::same_as<Deal, queued_rows> || std::same_as<Deal, edge_shares>;

template <class Mapping>
struct deal_of_mapping {
  using type = void;
};
template <has_deal Mapping>
struct deal_of_mapping<Mapping> {
  using type = decltype(std::declval<Mapping const&>().deal(workload{}));
};
template <class Mapping>
using deal_of = typename deal_of_mapping<Mapping>::type;

template <class Mapping>
concept has_uses_degrees = requires(Mapping const& mapping) {
  mapping.uses_degrees();
};
/// Mappings that may ask for the degrees of a grouping.
template <class Mapping>
concept deals_by_degree = requires(Mapping const& mapping, degree_histogram const& degrees) {
  { mapping.uses_degrees() } -> std::same_as<degree_use>;
  { mapping.deal(degrees) } -> std::same_as<deal_of<Mapping>>;
};

template <class Graph>
struct is_ungrouped : std::false_type {};
template <class Index, class Offset>
struct is_ungrouped<graph<coo_view<Index, Offset>>> : std::true_type {};

/// Refuses, part by part, what is no mapping for graphs of this type.
template <class Graph, class Mapping>
struct require_mapping {
  static_assert(has_mapping_name<Mapping>, "mapping: needs 'static constexpr char const* name' (mapping/concept.hpp)");
  static_assert(has_deal<Mapping>, "mapping: needs 'deal(workload) const' (mapping/concept.hpp)");
  static_assert(
      !has_deal<Mapping> || known_deal<deal_of<Mapping>>,
      "mapping: deal(workload) returns row_pieces, whole_rows, queued_rows or edge_shares (mapping/deal.hpp)");
  static_assert(!has_uses_degrees<Mapping> || deals_by_degree<Mapping>,
                "mapping: uses_degrees() returns degree_use, and goes with a deal(degree_histogram const&) of the same "
                "type as deal(workload) (mapping/concept.hpp)");
  static_assert(
      !is_ungrouped<Graph>::value || std::same_as<Mapping, edge_balanced> || std::same_as<Mapping, automatic>,
      "mapping: the edges of graph{coo} are not grouped: edge_balanced takes them so, automatic groups them; convert "
      "with to_csr for this mapping (mapping/concept.hpp)");
  static constexpr bool ok = true;
};

}  // namespace detail
}  // namespace edgewise
