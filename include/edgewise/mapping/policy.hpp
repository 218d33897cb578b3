// Policies: how many edges a group keeps in flight and how many blocks share a multiprocessor.
#pragma once

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// Numbers that change the speed of a kernel, and where groups share rows or pieces how a sum is rounded.
struct kernel_policy {
  int edges_in_flight = 4;  ///< edges a group loads before it folds
  int blocks_per_multiprocessor = 1;

  bool operator==(kernel_policy const&) const = default;
};

namespace detail {

/// Registers of one pass: rows that vary from edge to edge, rows fixed for the walk and rows of state, all counted in
/// wide values (chunks x channels registers each); and values per head (one register per chunk) of passes that have
/// them.
struct register_demand {
  int varying;
  int fixed;
  int state;
  int narrow_varying = 0;
  int narrow_fixed = 0;  ///< fixed values of heads, or state
  int parameters = 0;    ///< of the rows fixed, those of parameters
  bool has_gradients = false;
  bool has_softmax = false;
  bool has_open_scores = false;  ///< adjoints of scores are summed over channels once per row
  bool has_edge_sums = false;    ///< without a softmax: one number per head of each edge, summed over channels or read
  bool has_bfloat16 = false;     ///< among the wide rows that vary, as they are read
};

/// Only the smallest groups share rows, if the mapping does not say otherwise: for wider ones it costs registers and
/// pays nothing (docs/tuning.md, R13).
EDGEWISE_HD constexpr bool may_share_rows(int group_size) { return group_size <= 4; }

/// The policy for groups of `group_size` threads with `chunks` chunks of `channels` channels. Occupancy decides
/// (docs/tuning.md, R18). A softmax holds scores and weights of all edges in flight, and its exponentials wait for all
/// of them, so two edges of 256 elements do (docs/tuning.md, R19). Eight 16-bit channels take room packed and unpacked
/// (docs/tuning.md, R20). Where each edge reads two such rows and the walk holds no more than two, one edge leaves room
/// for more warps; not so its gradients, nor GAT and GATv2 forward (docs/tuning.md, R21). Inner products and their
/// gradients are alike: two edges of 256 elements do (docs/tuning.md, R22). `shares`: groups share rows, and need
/// registers to merge their states. `in_loop`: for `choose_loop_policy`, where one edge in flight was not measured.
EDGEWISE_HD constexpr kernel_policy choose_policy(int group_size, int chunks, int channels, register_demand demand,
                                                  bool shares, bool in_loop = false) {
  int const value = chunks * channels;
  // Three rows of 16 bits an edge, of attention with features of edges, or two that are added to two sums: few edges
  // in flight leave room for more warps (docs/tuning.md, R60).
  if (channels == 8 && chunks == 1 && group_size > 4 && !shares && !in_loop) {
    bool const reads_own_scores = demand.has_gradients && demand.narrow_varying <= 2;
    if (demand.has_softmax && demand.varying >= 3 && !demand.has_gradients) return {1, 8};
    if (demand.has_softmax && demand.varying >= 3 && reads_own_scores) return {2, 6};
    if (demand.has_edge_sums && demand.varying >= 2 && demand.state >= 2) return {2, 6};
  }
  // Rows of 16-bit numbers wait in words of two, and are unpacked edge by edge.
  bool const is_packed = channels == 8;
  int const waiting = is_packed ? value / 2 : value;
  int const unpacked = is_packed && (demand.has_softmax || demand.has_edge_sums) ? 16 : 0;
  // Inner products pass through registers that sums hold elsewhere.
  int const products = demand.has_softmax && !demand.has_open_scores && demand.state == 0 ? 8 : 0;
  auto const registers = [&](int edges) {
    return waiting * edges * demand.varying + value * (demand.fixed + demand.state) + 3 * edges + 8 * demand.state +
           12 + chunks * (edges * demand.narrow_varying + demand.narrow_fixed) + unpacked + products;
  };
  bool const is_wide_sum = (demand.has_softmax || demand.has_edge_sums) && value >= 8 && !is_packed;
  bool const reads_pairs =
      demand.has_softmax && value == 8 && demand.varying >= 2 && demand.fixed + demand.state <= 2 && !in_loop;
  int edges = group_size <= 4 ? 8 : (is_wide_sum ? (reads_pairs ? 1 : 2) : 4);
  // Gradients of a score that weighs channels, by source (GATv2), spill with four edges of 16 bits (docs/tuning.md,
  // R23).
  bool const weighs_channels =
      demand.has_softmax && demand.has_gradients && demand.varying >= 2 && demand.parameters > 0;
  if (is_packed && weighs_channels && edges > 2 && group_size > 4) edges = 2;
  while (edges > 1 && registers(edges) > (edges >= 4 || demand.has_softmax ? 120 : 136)) edges /= 2;
  // One row per edge of bfloat16, added up, spills without eight registers more, of float16 none (docs/tuning.md, R24).
  bool const adds_rows = demand.varying == 1 && demand.fixed + demand.state == 1 && unpacked == 0 && group_size > 4;
  int const spilled = is_packed && demand.has_bfloat16 && adds_rows ? 8 : 0;
  int const rounded = (registers(edges) + spilled + 7) / 8 * 8;
  if (group_size > 32) return {1, 1};  // block-wide groups: rows this wide keep a multiprocessor busy by themselves
  int blocks = 65536 / (128 * rounded);
  int const most = shares ? 5 : 9;
  blocks = blocks < 2 ? 2 : (blocks > most ? most : blocks);
  return {edges, blocks};
}

/// Threads of a block of a pass whose multiprocessors should take `blocks` of 128 threads: as few as keep as many
/// warps, of 32 blocks at most, because a block holds its registers until its longest row ends (docs/tuning.md, R25).
EDGEWISE_HD constexpr int choose_block_threads(int group_size, int blocks) {
  return group_size == 32 && blocks <= 7 ? 32 : 64;
}

/// Multiprocessors of an H100 or H200.
inline constexpr int typical_multiprocessors = 132;

/// How many blocks a multiprocessor should take at least of a pass that sums over all edges, on a fixed number of
/// blocks that run at once, since a second round would be half empty: four, or three of groups that hold 16 elements
/// per thread (docs/tuning.md, R26).
EDGEWISE_HD constexpr int resident_blocks(int group_size, int elements) {
  return group_size > 32 ? 1 : (elements >= 16 ? 3 : 4);
}
EDGEWISE_HD constexpr kernel_policy keep_resident(int group_size, int elements, kernel_policy policy) {
  int const least = resident_blocks(group_size, elements);
  if (policy.blocks_per_multiprocessor < least) policy.blocks_per_multiprocessor = least;
  return policy;
}

/// The fixed number of blocks of such a pass: all that its policy keeps resident, four per multiprocessor at most.
EDGEWISE_HD constexpr int fixed_blocks(int group_size, kernel_policy policy) {
  int const wanted = group_size > 32 || policy.blocks_per_multiprocessor > 4 ? 4 : policy.blocks_per_multiprocessor;
  return typical_multiprocessors * wanted;
}

/// The policy for groups that take row after row, equal shares of edges or what a queue gives them: they carry their
/// place from row to row in 24 registers more, or the loop over rows spills (docs/tuning.md, R27).
EDGEWISE_HD constexpr kernel_policy choose_loop_policy(int group_size, int chunks, int channels, register_demand demand,
                                                       bool shares) {
  kernel_policy policy = choose_policy(group_size, chunks, channels, demand, shares, true);
  if (group_size > 32) return policy;
  int const registers = 65536 / (128 * policy.blocks_per_multiprocessor) / 8 * 8 + 24;
  int const blocks = 65536 / (128 * registers);
  policy.blocks_per_multiprocessor = blocks < 2 ? 2 : blocks;
  return policy;
}

/// Groups that share a row that is never cut: a hub has work for as many as fit a warp.
constexpr int share_whole_row(int group_size, int edges_in_flight, long long mean_degree) {
  int sub_groups = 1;
  while (group_size * sub_groups * 2 <= 32 && mean_degree >= 2LL * sub_groups * edges_in_flight) sub_groups *= 2;
  return sub_groups;
}

/// Groups that share a row: as many as have eight edges each on average, up to four threads, since most rows of a
/// skewed graph are shorter; more where the rows leave the device idle (docs/tuning.md, R11).
constexpr int share_cut_row(int group_size, long long mean_degree, long long num_rows) {
  constexpr long long threads_that_fill = 1 << 18;  // of an H100 or H200
  int sub_groups = 1;
  while (group_size * sub_groups < 4 && mean_degree >= 16 * sub_groups) sub_groups *= 2;
  while (group_size * sub_groups < 16 && mean_degree >= 2 &&
         num_rows * group_size * sub_groups * 2 <= threads_that_fill) {
    sub_groups *= 2;
  }
  return sub_groups;
}

/// Groups that share a piece of a cut row: one thread for eight edges of it, `edges_in_flight` (docs/tuning.md, R12).
constexpr int share_piece(int group_size, int edges_in_flight, long long longest) {
  return share_whole_row(group_size, edges_in_flight * group_size, longest);
}

}  // namespace detail
}  // namespace edgewise::inline v0
