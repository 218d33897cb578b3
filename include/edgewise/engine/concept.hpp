// What a plan asks of an engine: build a schedule, run a pass over a grouping.
#pragma once

#include <cstdint>

namespace edgewise::inline v0::detail {

/// The engine of an execution resource: `engine<cpu>` (engine/cpu/engine.hpp), `engine<cuda>`
/// (engine/cuda/engine.cuh).
///   schedule<Split, Index, Offset>                   how a split is carried out; `num_slots` partial states, `text()`
///   make_schedule(exec, split, grouping, sizing, most_slots, num_pieces)   may synchronise where the size is exact;
///                                                   most_slots: of one launch of partitions; num_pieces: of cut rows
///   cuts_rows                                       does it balance rows by their degrees?
///   groups_of<Pass, Extents>(extents, chunk)        `group_kinds` of such rows
///   cache_bytes()                                   of the cache that partitions are for; 0 where there are none
///   read_degrees(exec, array of sized groupings)    a degree_histogram each; may synchronise, once
///   rebuild(exec, schedule, grouping)               asynchronous, for a schedule with `sizing::capacity`
///   memory(exec), clear(exec, data, bytes)          the memory resource; zeros, asynchronous
///   order_rows(exec, from, stride, size, ids, count, to)   to[k, :] = from[ids[k], :]; asynchronous
///   multiply<T>(exec, a, b, c, adds, partials)      c = a b or c += a b, matrices; sums in T; asynchronous
///   product_partials(rows, columns, terms), most_product_partials(rows, columns)   elements of `partials`: for a
///                                                   product of this shape, for any of at most this shape
///   multiply_by_type<T>(exec, types, a, b, c, adds)   each row of c: that of a times the b of its type
///   sum_by_type<T>(exec, types, a, b, c, adds, partials)   c of each type: the transpose of a's rows times b's
///   typed_product_partials(types, rows of c, columns)   elements of its `partials`
///   sum_edge_hashes(exec, csr, csc, identity)       a sum per grouping, equal where the edges are; may synchronise
///   num_partials(rows, edges)                       the most partial sums of parameters of one pass over such a graph
///   staged_bytes<T>(exec, rows, edges, channels)    memory for the rows that passes copy to where a cache holds them
///   check_width<Pass>(extents, chunk)               throws `invalid_argument` for rows too wide
///   run(exec, pass, grouping, schedule, extents, chunk, workspace)   asynchronous; rows that `check_width` lets pass
///   walks_tiles<Pass>(schedule)   does the pass take tiles of the grouping, and none of its rows alone? Where it may
///   has_tensor_cores, round_rows(exec, from, to, size)   where it may have some: floats in 16 bits, asynchronous
///   site(exec, call)           where a plan was made, or a call works
///   site::refuse_capture(exec, call)   throws where work is recorded, and not done
///   site::scope(site, exec, call), site::making(...)   while a call of the plan runs there, or makes memory; throws
///                              where it cannot; has check_array(address, name), which throws where it cannot be read
template <class Exec>
struct engine {
  static_assert(sizeof(Exec) == 0,
                "exec: has no engine here; to run on cuda include edgewise/edgewise.cuh, in a .cu file");
};

/// The plan's scratch memory as a pass sees it.
struct workspace_view {
  char* slots = nullptr;
  std::uint32_t* arrivals = nullptr;
  char* partials = nullptr;
  char* staged = nullptr;  ///< of the CPU
  std::int64_t staged_bytes = 0;
};

}  // namespace edgewise::inline v0::detail
