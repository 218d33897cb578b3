// Do both groupings of a graph hold the same edges? What a plan asks before it relies on it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/format/edge_hash.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0::detail {

/// Is a plan to check the groupings of its graph? Not where the library made one from the other.
enum class same_edges { checked, known };

/// Do passes over edges know them by id: as rows of operands, or by which one a gather picked?
template <class Aggregation>
inline constexpr bool knows_edges_by_id = false;
template <class Gather, class Message>
inline constexpr bool knows_edges_by_id<reduce_aggregation<Gather, Message>> = Gather::reads_edge;
template <class Leaves>
inline constexpr bool reads_edge_rows = false;
template <class... Leaf>
inline constexpr bool reads_edge_rows<type_list<Leaf...>> =
    ((Leaf::role_of == role::edge || Leaf::role_of == role::relation) || ...);
template <class Aggregations>
inline constexpr bool any_knows_edges_by_id = false;
template <class... Aggregation>
inline constexpr bool any_knows_edges_by_id<type_list<Aggregation...>> = (knows_edges_by_id<Aggregation> || ...);
/// What has to agree between the groupings of a program of vertices.
template <class Program>
inline constexpr edge_identity identity_in_program =
    reads_edge_rows<typename Program::leaves> || any_knows_edges_by_id<typename Program::aggregation_types> ||
            stashed_of<Program>::type::size != 0 || handing_of<Program> != handing::never
        ? edge_identity::endpoints_and_id
        : edge_identity::endpoints;

/// Throws `invalid_argument` unless both groupings hold the same edges, as far as sums of hashes tell, which is for
/// sure but for a chance of 2^-64; a message about host memory names an edge. Linear; on a device it waits for the
/// stream.
template <class Exec, class Graph>
void require_same_edges(Exec const& exec, Graph const& g, edge_identity identity) {
  using traits = graph_traits<Graph>;
  csr_view<typename traits::index_type, typename traits::offset_type> const csr{traits::by_destination(g)};
  csc_view<typename traits::index_type, typename traits::offset_type> const csc{traits::by_source(g)};
  if (csr.num_edges == 0) return;
  std::array<std::uint64_t, 2> const sums = engine<Exec>::sum_edge_hashes(exec, csr, csc, identity);
  if (sums[0] == sums[1]) return;
  std::string example = identity == edge_identity::endpoints ? " (pairs of source and destination)" : "";
  if constexpr (std::is_same_v<typename Exec::space, host_space>) {
    validate(csr);  // ids are looked up below
    validate(csc);
    if (identity == edge_identity::endpoints_and_id) example = ": " + first_difference(csr, csc);
  }
  throw invalid_argument(text("graph: ", g.first.name, " and ", g.second.name, " hold different edges", example,
                              "; make one from the other, with to_csc or to_csr, or give both the ids of the edges"));
}

/// Throws `invalid_argument` unless the typed edges of a graph are its edges, under the same ids, as far as sums of
/// hashes tell. Linear; on a device it waits for the stream.
template <class Exec, class Graph>
void require_edges_of_types(Exec const& exec, Graph const& g) {
  using traits = graph_traits<Graph>;
  csr_view<typename traits::index_type, typename traits::offset_type> const csr{traits::by_destination(g)};
  csc_view<typename traits::index_type, typename traits::offset_type> const types{traits::by_type(g)};
  if (csr.num_edges == 0) return;
  auto const sums = engine<Exec>::sum_edge_hashes(exec, csr, types, edge_identity::endpoints_and_id);
  if (sums[0] == sums[1]) return;
  throw invalid_argument(text("graph: ", g.first.name, " and ", g.types.name,
                              " hold different edges; make the types from this graph, with to_typed_edges"));
}

}  // namespace edgewise::inline v0::detail
