// A distributed graph as plans see it: a format whose rows are those of this rank's part.
#pragma once

#include <cstdint>

#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0::detail {

/// What `graph` holds of a distributed graph, which outlives it. Message: what rows of float travel as, void for
/// themselves.
template <class Distributed, class Message>
struct distributed_view {
  using distributed_type = Distributed;
  using message_type = Message;
  using index_type = typename Distributed::index_type;
  using offset_type = typename Distributed::offset_type;
  static constexpr char const* name = "distributed graph";

  Distributed const* parts = nullptr;
};

template <class Graph>
inline constexpr bool is_distributed = false;
template <class Distributed, class Message>
inline constexpr bool is_distributed<graph<distributed_view<Distributed, Message>>> = true;

template <class Distributed, class Message>
inline constexpr bool edges_have_types<graph<distributed_view<Distributed, Message>>> = Distributed::has_types;

/// Counts are those of the part.
template <class Distributed, class Message>
struct graph_traits<graph<distributed_view<Distributed, Message>>> {
  using index_type = typename Distributed::index_type;
  using offset_type = typename Distributed::offset_type;
  using graph_type = graph<distributed_view<Distributed, Message>>;
  using rows_type = grouping_view<index_type, offset_type>;
  static constexpr bool has_source = true;
  static constexpr bool has_types = Distributed::has_types;

  static bool shares_vertices(graph_type const& g) { return g.first.parts->part().shares_vertices; }
  static graph_counts counts(graph_type const& g) {
    auto const& part = g.first.parts->part();
    graph_counts counts{part.num_destinations(), part.num_sources(), static_cast<std::int64_t>(part.num_edges())};
    if constexpr (has_types) counts.types = part.num_types;
    return counts;
  }
};

/// Its arrays were made where passes run.
template <class Call, class Distributed, class Message>
void check_format_arrays(Call&, distributed_view<Distributed, Message> const&) {}

}  // namespace edgewise::inline v0::detail
