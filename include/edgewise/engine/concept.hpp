// What a plan asks of an engine: build a schedule, run a pass over a grouping.
#pragma once

#include <cstdint>
#include <cstring>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/deal.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/register/cuda_geometry.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::detail {

/// The engine of an execution resource: `engine<cpu>` (engine/cpu/engine.hpp), `engine<cuda>`
/// (engine/cuda/engine.cuh).
///   schedule<Deal, Index, Offset>                   how a deal is carried out; `num_slots` partial states, `text()`
///   make_schedule(exec, deal, grouping, sizing, most_slots, num_pieces)   may synchronise where the size is exact;
///                                                   most_slots: of one launch of partitions; num_pieces: of cut rows
///   cuts_rows                                       does it balance rows by their degrees?
///   groups_of<Pass, Extents>(extents, chunk)        `group_kinds` of such rows
///   cache_bytes()                                   of the cache that partitions are for; 0 where there are none
///   read_degrees(exec, array of sized groupings)    a degree_histogram each; may synchronise, once
///   rebuild(exec, schedule, grouping)               asynchronous, for a schedule with `sizing::capacity`
///   num_partials                                    partial sums of parameters of one pass
///   check_width<Pass>(extents, chunk)               throws `invalid_argument` for rows too wide
///   run(exec, pass, grouping, schedule, extents, chunk, workspace)   asynchronous; rows that `check_width` lets pass
///   site(exec, call)           where a plan was made, or a call works
///   site::refuse_capture(exec, call)   throws where work is recorded, and not done
///   site::scope(site, exec, call), site::making(...)   while a call of the plan runs there, or makes memory; throws
///                              where it cannot; has check_array(address, name), which throws where it cannot be read
template <class Exec>
struct engine {
  static_assert(sizeof(Exec) == 0,
                "exec: has no engine here; to run on cuda include edgewise/edgewise.cuh, in a .cu file");
};

/// `exact`: a schedule for this grouping alone, of the smallest size. `capacity`: of a size that the host knows, for
/// every grouping of as many rows and edges; the arrays of the grouping are not read until `rebuild`.
enum class sizing { exact, capacity };

/// Where a schedule has to count the pieces of cut rows itself.
inline constexpr std::int64_t unknown_pieces = -1;

/// Refuses a graph that a plan has no room for.
inline void check_capacity(graph_counts counts, graph_counts capacity, sizing size) {
  if (size == sizing::exact) {
    throw invalid_argument("rebuild: this plan was made for one graph, make it with plan_for_capacity");
  }
  if (counts.destinations > capacity.destinations || counts.sources > capacity.sources ||
      counts.edges > capacity.edges) {
    throw invalid_argument(text("rebuild: the graph has ", counts.destinations, " destinations, ", counts.sources,
                                " sources and ", counts.edges, " edges, the plan was made for ", capacity.destinations,
                                ", ", capacity.sources, " and ", capacity.edges));
  }
}

/// Refuses to run a plan for a capacity that has been given no graph.
inline void check_rebuilt(bool is_rebuilt, char const* what) {
  if (!is_rebuilt)
    throw invalid_argument(text(what, ": this plan is for a capacity, call rebuild before its first pass"));
}

template <class Index, class Offset>
grouping_size size_of(grouping_view<Index, Offset> const& grouping) {
  return {static_cast<std::int64_t>(grouping.num_rows), static_cast<std::int64_t>(grouping.num_edges)};
}

/// The stream of a resource; none on the host.
template <class Exec>
stream_handle stream_of(Exec const& exec) {
  if constexpr (requires { exec.stream; }) {
    return exec.stream;
  } else {
    return nullptr;
  }
}

/// A grouping, and what a mapping is told of it.
template <class Index, class Offset>
struct sized_grouping {
  grouping_view<Index, Offset> grouping;
  grouping_size size;
};

/// The groups of threads that rows of a width may have.
struct group_kinds {
  int narrow = 0;  ///< threads of a group where that is one or two; else 0
  int half = 0;    ///< threads of the kind of half the threads (`group_threads::half`); 0 where there is none
  bool has_softmax = false;
};

/// What the passes over a grouping read and keep: what its schedule is chosen for.
struct grouping_use {
  std::int64_t gathered_bytes = 0;        ///< that an edge reads of its neighbor, a tile at a time
  std::int64_t most_slots = 0;            ///< as take the memory of an output
  std::int64_t tile_elements = 0;         ///< of a tile; 0 where no pass may take rows in narrower ones
  std::int64_t narrow_tile = 64;          ///< elements of 256 bytes
  std::int64_t contraction_elements = 0;  ///< of an inner product whose tiles add up; else 0
  bool reads_edges = false;               ///< operands of edges
  std::int64_t edge_bytes = 0;            ///< that a pass may read of an edge's, in rows shorter than a sector
  group_kinds groups;
  bool sums_lanes = false;  ///< to form gradients of operands that are not wide
};
struct grouping_uses {
  grouping_use of_destinations;
  grouping_use of_sources;
};

/// Heads and lanes of a program's rows.
struct row_extents {
  int heads = 1;
  int lanes = 1;
};

/// The plan's scratch memory as a pass sees it.
struct workspace_view {
  char* slots = nullptr;
  std::uint32_t* arrivals = nullptr;
  char* partials = nullptr;
};

template <class Pass>
struct pass_walks_edges {
  static constexpr bool value = true;
};
template <class Pass>
requires requires { Pass::walks_edges; }
struct pass_walks_edges<Pass> {
  static constexpr bool value = Pass::walks_edges;
};
template <class Pass>
inline constexpr bool walks_edges = pass_walks_edges<Pass>::value;

/// Does a pass store inner products to which tiles of lanes can add, one after the other?
template <class Pass>
inline constexpr bool adds_up_tiles = false;
template <class Pass>
requires requires { Pass::adds_up_tiles; }
inline constexpr bool adds_up_tiles<Pass> = Pass::adds_up_tiles;

/// May a pass take rows in tiles of lanes? Where heads and lanes are one axis; of passes that read a number a head
/// those that form gradients, as of inner products, with one head and without a softmax, which each tile would evaluate
/// again; and of one head where tiles add up.
template <class Pass>
constexpr bool may_take_tiles(row_extents extents) {
  constexpr bool is_axis = Pass::need == layout_need::flat;
  constexpr bool reads_heads = forms_gradients<Pass> && Pass::need == layout_need::head_aware;
  constexpr bool takes_heads = (reads_heads && !any_softmax<typename Pass::unit_types>) || adds_up_tiles<Pass>;
  return is_axis || (takes_heads && extents.heads == 1);
}
/// Elements of the tiles that a deal or schedule of rows gives a pass.
template <class Pass, class Rows>
constexpr std::int64_t tile_of(Rows const& rows) {
  return adds_up_tiles<Pass> ? rows.contraction : rows.tile;
}
/// Are rows wider than a tile?
constexpr bool takes_tiles(std::int64_t tile, row_extents extents) {
  return tile < std::int64_t{extents.heads} * extents.lanes;
}

/// Elements of one row of an operand of a kind.
constexpr std::int64_t elements_of_kind(operand_kind kind, row_extents extents) {
  return std::int64_t{kind == operand_kind::wide || kind == operand_kind::per_head ? extents.heads : 1} *
         (kind == operand_kind::wide || kind == operand_kind::per_lane ? extents.lanes : 1);
}

/// Elements of a sum of gradients as it grows: those of operands per lane are apart by head, [heads, lanes].
constexpr std::int64_t elements_of_sum(operand_kind kind, row_extents extents) {
  return elements_of_kind(kind == operand_kind::per_lane ? operand_kind::wide : kind, extents);
}

/// Elements of a row that one tile reads: 256 where there are more.
constexpr std::int64_t elements_of_tile(std::int64_t elements) { return elements < 256 ? elements : 256; }

/// Bytes that an edge reads of operands at one vertex, a tile at a time.
template <class... Bound>
constexpr std::int64_t bytes_of_tile(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (std::int64_t{0} + ... +
          (is_operand_bound<Bound>::value * elements_of_tile(elements_of_kind(Bound::kind, extents)) *
           static_cast<std::int64_t>(sizeof(typename Bound::storage))));
}

/// Bytes of a row that is shorter than what a cache reads at least; else 0.
constexpr std::int64_t bytes_within_sector(std::int64_t bytes) {
  constexpr std::int64_t sector = 32;
  return bytes < sector ? bytes : 0;
}
/// Bytes that an edge reads of its own operands, of rows shorter than a sector.
template <class... Bound>
constexpr std::int64_t bytes_within_sectors(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (std::int64_t{0} + ... +
          bytes_within_sector(is_operand_bound<Bound>::value * elements_of_kind(Bound::kind, extents) *
                              static_cast<std::int64_t>(sizeof(typename Bound::storage))));
}

/// Is a wide operand stored in 16 bits?
template <class Table>
inline constexpr bool any_float16 = false;
template <class... Bound>
inline constexpr bool any_float16<type_list<Bound...>> =
    ((is_operand_bound<Bound>::value && is_float16<typename Bound::storage> && Bound::kind == operand_kind::wide) ||
     ...);

/// Bytes of a pass's sums over all edges.
template <class T, class... Bound>
constexpr std::int64_t sums_bytes(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (
      std::int64_t{0} + ... +
      ((is_operand_bound<Bound>::value * elements_of_sum(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(T)) +
        15) /
       16 * 16));
}
template <class Pass>
std::int64_t partial_bytes([[maybe_unused]] row_extents extents) {
  if constexpr (Pass::has_parameter_targets) {
    return sums_bytes<typename Pass::accumulator>(typename Pass::parameter_targets{}, extents);
  } else {
    return 0;
  }
}

struct byte_counter {
  row_extents extents;
  std::int64_t* bytes;
  template <class V>
  EDGEWISE_HD void operator()(V const&) const {
    *bytes += component_bytes<V>(extents);
  }
};

/// Bytes of the state of a row that a piece leaves in its slot.
template <class Pass>
std::int64_t slot_bytes(row_extents extents) {
  using geometry = cuda_geometry<4, 1, 4>;  // registers differ between geometries, slots do not
  typename Pass::template state<geometry> state;
  std::int64_t bytes = 0;
  Pass::components(state, byte_counter{extents, &bytes});
  return bytes;
}

[[noreturn]] inline void throw_row_too_wide(layout_need need, row_extents extents, int capacity) {
  if (need == layout_need::whole_rows) {
    throw invalid_argument(text("plan: rows of ", extents.heads, " heads x ", extents.lanes,
                                " lanes are too wide for a gradient or value that sums over heads and lanes (at most ",
                                capacity, " lanes, each head rounded up to a power of two)"));
  }
  if (need == layout_need::all_heads) {
    throw invalid_argument(
        text("plan: rows of ", extents.heads,
             " heads are too wide for a gradient or value that sums over heads (a group holds all of them)"));
  }
  throw invalid_argument(text("plan: heads of ", extents.lanes,
                              " lanes are too wide for a message that sums over lanes (at most ", capacity,
                              " lanes here)"));
}

}  // namespace edgewise::detail
