// Policies: how many edges a group keeps in flight and how many blocks share a multiprocessor.
#pragma once

#include <edgewise/core/config.hpp>

namespace edgewise {

/// Numbers that change the speed of a kernel, and where groups share rows or pieces how a sum is rounded.
struct kernel_policy {
  int edges_in_flight = 4;  ///< edges a group loads before it folds
  int blocks_per_multiprocessor = 1;

  bool operator==(kernel_policy const&) const = default;
};

namespace detail {

/// Registers of one pass: rows that vary from edge to edge, rows fixed for the walk and rows of state, all counted in
/// wide values (chunks x lanes registers each); and values per head (one register per chunk) of passes that have them.
struct register_demand {
  int varying;
  int fixed;
  int state;
  int narrow_varying = 0;
  int narrow_fixed = 0;  ///< or state
  int parameters = 0;    ///< of the rows fixed, those of parameters
  bool has_gradients = false;
  bool has_softmax = false;
  bool has_open_scores = false;  ///< adjoints of scores are summed over lanes once per row
  bool has_edge_sums = false;    ///< without a softmax: one number per head of each edge, summed over lanes or read
  bool has_bfloat16 = false;     ///< among the wide rows that vary, as they are read
};

/// Only the smallest groups share rows, if the mapping does not say otherwise: for wider ones it costs registers and
/// pays nothing (H200 2026-11, products D=32: 4 groups of 8 a row 0.66 ms, 1 group 0.57; D=8: 4 groups of 2 a row 0.29,
/// 1 group 0.30).
EDGEWISE_HD constexpr bool may_share_rows(int group_size) { return group_size <= 4; }

/// The policy for groups of `group_size` threads with `chunks` chunks of `lanes` lanes. Occupancy decides (H200
/// 2026-11, products, ms by blocks of 128 threads): SpMM D=128 9: 1.89, 8: 2.28; D=256 7: 3.77, 6: 3.89; attention H4
/// D64 forward 4: 8.1, 3: 10.1, 5 with spills: 14.9; its backward for queries 2 edges x 5 blocks: 9.2, 4 x 4: 11.1;
/// keys and values 2 x 4: 12.1, 4 x 4: 17.4. A softmax holds scores and weights of all edges in flight, and its
/// exponentials wait for all of them, so two edges of 256 elements do: GAT H4 D64 on products forward 2 x 7: 4.4, 4 x
/// 5: 4.5, 4 x 7 with spills: 8.2; by destination 2 x 7: 6.3, 4 x 6 with spills: 11.7; by source 2 x 5: 10.7, 4 x 5
/// with spills: 13.5. Eight 16-bit lanes take room packed and unpacked: GAT H4 D64 forward of bfloat16 spills 112 bytes
/// with 64 registers, 60 with 72 and none with 80 (nvcc 13). Where each edge reads two such rows and the walk holds no
/// more than two, one edge leaves room for more warps: transformer H4 D64 forward 1 x 7 over 2 x 5: roads 0.86, arxiv
/// 0.94, products 0.98, dense 1.00; not so its gradients (dense and products 1.04 to 1.10), nor GAT and GATv2 forward
/// (1.06 to 1.09 there). Inner products and their gradients are alike: of 256 elements on dense, arxiv and roads 2
/// edges take 0.95, 0.89 and 0.76 of the time of 4 x 5 (forward), 1.0, 0.91 and 0.76 (gradients). `shares`: groups
/// share rows, and need registers to merge their states. `in_loop`: for `choose_loop_policy`, where one edge in flight
/// was not measured.
EDGEWISE_HD constexpr kernel_policy choose_policy(int group_size, int chunks, int lanes, register_demand demand,
                                                  bool shares, bool in_loop = false) {
  int const value = chunks * lanes;
  // Rows of 16-bit numbers wait in words of two, and are unpacked edge by edge.
  bool const is_packed = lanes == 8;
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
  // Gradients of a score that weighs lanes, by source (GATv2), spill 80 to 104 bytes of 128 registers with four edges
  // of 16 bits (H200 2026-11, both gradients, time with two: float16 arxiv, roads, products and dense 0.94 0.91 0.97
  // 0.98, bfloat16 0.94 and 0.89).
  bool const weighs_lanes = demand.has_softmax && demand.has_gradients && demand.varying >= 2 && demand.parameters > 0;
  if (is_packed && weighs_lanes && edges > 2 && group_size > 4) edges = 2;
  while (edges > 1 && registers(edges) > (edges >= 4 || demand.has_softmax ? 120 : 136)) edges /= 2;
  // One row an edge of bfloat16, added up, spills 48 bytes without eight registers more, of float16 none (H100 2026-11,
  // weighted sum and its gradient by id, 64 lanes, time with eight blocks over that with nine: bfloat16 arxiv 0.78
  // 0.87, roads 0.82 0.92, products 0.87 0.91, dense 0.94 0.94; float16 1.01 1.02, 1.07 1.05, 1.02 0.96, 0.98 0.91).
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
/// warps, of 32 blocks at most, because a block holds its registers until its longest row ends (H200 2026-11, products,
/// ms with blocks of 128, 64, 32 threads: graph transformer H4 D64 by source 10.4, 10.1, 9.9; GAT 7.0, 6.7, 6.4; SpMM
/// D=256 4.5, 4.4, 3.8, D=64, where 36 warps fit, 1.00, 0.98, 1.00).
EDGEWISE_HD constexpr int choose_block_threads(int group_size, int blocks) {
  return group_size == 32 && blocks <= 7 ? 32 : 64;
}

/// Multiprocessors of an H100 or H200.
inline constexpr int typical_multiprocessors = 132;

/// How many blocks a multiprocessor should take at least of a pass that sums over all edges, on a fixed number of
/// blocks that run at once, since a second round would be half empty: four, or three of groups that hold 16 elements a
/// thread (H200 2026-11, products, GATv2 by destination, ms by edges x blocks: H4 D64 2 x 4: 11.1, 2 x 3: 13.5, 1 x
/// 4: 14.9; one head of 512, 1 x 3: 29.5, 1 x 4 with spills: 37.8, 1 x 2: 38.0).
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
/// place from row to row in 24 registers more, or the loop over rows spills (a softmax with its gradients up to 600
/// bytes a thread, nvcc 13).
EDGEWISE_HD constexpr kernel_policy choose_loop_policy(int group_size, int chunks, int lanes, register_demand demand,
                                                       bool shares) {
  kernel_policy policy = choose_policy(group_size, chunks, lanes, demand, shares, true);
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
/// skewed graph are shorter (H200 2026-11, SpMM of one lane, us by threads a row: arxiv, of 7 edges a row, 1: 15.3,
/// 2: 16.4, 4: 20.9; web, of 4.5, 1: 161, 4: 354; roads, of 2, 4.8, 7.6, 13.7; products, of 50, 1: 240, 2: 219, 4: 201,
/// 8: 225), more where the rows leave the device idle (cora 2: 4.0, 4: 3.9, 8: 3.4, 16: 2.8, 32: 3.9).
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

/// Groups that share a piece of a cut row: a thread for eight edges of it, `edges_in_flight` (H200 2026-11, SpMM of one
/// and eight lanes, us by threads a piece of 64 edges: arxiv 8: 15.3 and 17.0, 16: 20.4 and 19.0, 32: 25.2 and 22.4;
/// web 161 and 281, 174 and 288, 206 and 312; of 16 lanes, web with two groups of four a piece 458, with one 651).
constexpr int share_piece(int group_size, int edges_in_flight, long long longest) {
  return share_whole_row(group_size, edges_in_flight * group_size, longest);
}

}  // namespace detail
}  // namespace edgewise
