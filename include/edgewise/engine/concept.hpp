// What a plan asks of an engine: build a schedule, run a pass over a grouping.
#pragma once

#include <cstdint>

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

/// The groups of threads that rows of a width may have.
struct group_kinds {
  int narrow = 0;  ///< threads of a group where that is one or two; else 0
  int half = 0;    ///< threads of the kind of half the threads (`group_threads::half`); 0 where there is none
  bool has_softmax = false;
};

/// What the passes over a grouping read and keep: what its schedule is chosen for.
struct grouping_use {
  std::int64_t gathered_bytes = 0;        ///< bytes that an edge reads of its neighbor, a tile at a time
  std::int64_t most_slots = 0;            ///< slots that take the memory of an output
  std::int64_t tile_elements = 0;         ///< of a tile; 0 where no pass may take rows in narrower ones
  std::int64_t narrow_tile = 64;          ///< elements of 256 bytes
  std::int64_t contraction_elements = 0;  ///< of an inner product whose tiles add up; else 0
  bool reads_edges = false;               ///< operands of edges
  std::int64_t edge_bytes = 0;            ///< bytes of an edge that a pass may read in rows shorter than a sector
  group_kinds groups;
  bool sums_lanes = false;  ///< to form gradients of operands that are not wide
};
struct grouping_uses {
  grouping_use of_destinations;
  grouping_use of_sources;
};

/// The plan's scratch memory as a pass sees it.
struct workspace_view {
  char* slots = nullptr;
  std::uint32_t* arrivals = nullptr;
  char* partials = nullptr;
};

}  // namespace edgewise::detail
