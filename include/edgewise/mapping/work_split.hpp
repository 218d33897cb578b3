// What a mapping decides: how the rows or the edges of a grouping are split among groups of threads. Data for kernels,
// not code: mappings that give the same type of split run the same kernels.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <edgewise/mapping/policy.hpp>
#include <edgewise/mapping/workload.hpp>

namespace edgewise::inline v0 {

/// In which order rows are started. `degree`: rows of most edges first, rows of as many edges one after another, so
/// that groups that share a warp end together (Seastar, EuroSys 2021, section 6.3). Rows of 4095 edges or more count as
/// equal. `windows`: so within each 2048 rows, one window after another: rows that share a block end together, and rows
/// in flight stay neighbors, whose sources often are (the sorting window of SELL-C-sigma, Kreutzer et al., SISC 2014).
/// `short_windows`: so within each 256 rows.
/// No order changes any bit of a result: passes that sum over all edges keep the stored one (but take pieces of
/// partitions by long windows, if not as stored: their sums, gradients of parameters, are then rounded otherwise).
enum class row_order { stored, degree, windows, short_windows };

/// Rows of a window of `row_order::windows`.
inline constexpr int window_rows = 2048;
/// Rows of a window of `row_order::short_windows`.
inline constexpr int short_window_rows = 256;

/// Is it an order within windows?
constexpr bool has_windows(row_order order) { return order == row_order::windows || order == row_order::short_windows; }

namespace detail {

/// What a schedule's text says of an order.
constexpr char const* row_order_text(row_order order) {
  switch (order) {
    case row_order::degree:
      return ", rows by degree";
    case row_order::windows:
      return ", rows by degree in windows";
    case row_order::short_windows:
      return ", rows by degree in short windows";
    default:
      return "";
  }
}

}  // namespace detail

/// Threads of a block whose groups walk rows. A block holds its registers until its longest row ends: small blocks
/// where the lengths of rows differ, large ones where rows side by side share neighbors, which the block's first-level
/// cache then holds. `chosen`: as few as keep as many warps. The registers of a thread are the same for all.
enum class block_size { chosen, threads_32, threads_64, threads_128 };

/// The number of threads, 0 for `chosen`.
constexpr int threads_of_block(block_size size) {
  return size == block_size::chosen ? 0 : 16 << static_cast<int>(size);
}

/// Threads of the group that takes a row of 33 to 128 elements of 4 bytes, or of 129 to 256 of 2. `all`: one for each
/// word of 16 bytes. `half`: one for two words, so that a warp takes twice as many rows at a time, and each thread has
/// twice as much on its way.
enum class group_threads { all, half };

/// When the pieces of a cut row start. `ahead`: all of them before all whole rows, so that no fold comes last.
/// `in_place`: where their row would, so that they read what the rows beside theirs read at about the same time.
enum class piece_order { ahead, in_place };

/// Edges that a group of a GPU walks in one piece at most, whatever a split says: the sum of a longer row is folded
/// from pieces, so that its rounding error grows with the logarithm of its edges (docs/numerics.md).
inline constexpr std::int64_t max_walk = 4096;
/// Edges of a piece of such a row, where a split asks for pieces longer than `max_walk`: as few as cost nothing.
inline constexpr std::int64_t length_of_cut_walk = 512;

/// Edges of a piece on a GPU, where a split asks for `asked`: as many up to `max_walk`, else `length_of_cut_walk`.
constexpr std::int64_t walk_length(std::int64_t asked) { return asked <= max_walk ? asked : length_of_cut_walk; }

/// One group of threads per row. On a GPU long rows are cut into pieces, whose states are folded in order; CPUs cut
/// those of more than 4096 edges.
struct row_split {
  /// On a GPU rows of more than `max_edges` edges, as `walk_length` bounds them, are cut into pieces of equal length.
  /// Slots take the memory of up to 2 * num_edges / max_edges rows of features.
  std::int64_t max_edges = std::numeric_limits<std::int64_t>::max();

  /// In which order rows are started.
  row_order order = row_order::stored;

  /// The neighbors' ids are divided into so many ranges of equal size, and rows of more than
  /// `least_partitioned_degree(partitions)` edges are cut at their borders too, where the row's neighbors ascend (other
  /// rows are cut by `max_edges` alone, and so are all where most long rows do not ascend). Pieces of one range run
  /// together, so that its features are read from the level-2 cache: for features, or short rows of edges that are read
  /// by id, larger than it, and rows whose neighbors lie far apart. Source partitions of FeatGraph (SC 2020, section
  /// III-C.1), of a GPU's cache.
  ///
  /// A pass takes several launches, as a rule about as many as there are partitions: in each run pieces whose slots
  /// take no more memory than the output, but those of 256 rows, or of a quarter of the rows, at least. Not for plans
  /// for a capacity.
  std::int64_t partitions = 1;

  /// Elements of a row that are taken at a time, tile after tile in one launch, by passes of which no channel needs
  /// another (sums and maxima, gradients of inner products of one head, not inner products themselves or softmax over
  /// scores of channels): 64, 128, or as many as a group holds, which is 256 elements of 4 bytes. All neighbors'
  /// features of one tile may fit the cache where whole rows do not; what an edge reads besides, ids and weights, is
  /// read once per tile. Such passes run without partitions, and their pieces are those of `max_edges` alone.
  /// FeatGraph's feature dimension tiling (SC 2020, section III-C.1), of a GPU's cache.
  ///
  /// No effect on rows that are not aligned to 16 bytes, with static extents, and on CPUs.
  std::int64_t tile = std::numeric_limits<std::int64_t>::max();

  /// Elements of a row that an inner product sums at a time, where the product as it is is stored for each edge
  /// (`scatter(dot(a, b))`, of one head, stored as it is summed): 64, 128, or all. A launch for each such tile adds to
  /// what those before it stored, and reads ids and the product again. FeatGraph's tiling of the reduction axis of
  /// SDDMM. Another `dot_tile` rounds otherwise.
  ///
  /// No effect where `tile` has none, nor on products that are stored in 16 bits. 128 for 64 where 16-bit rows move in
  /// chunks of 4, and with few geometries.
  std::int64_t dot_tile = std::numeric_limits<std::int64_t>::max();

  /// Threads of a block.
  ///
  /// No effect on rows of at most 128 elements of 4 bytes or of more than a warp holds, on passes that sum over all
  /// edges, and on CPUs.
  block_size block = block_size::chosen;

  /// Threads of a group. Sums over edges have the same bits with either; sums over channels or heads, and under a
  /// softmax, round otherwise. The values of `scatter(softmax(dot(...)))` sum channels by half the threads where a
  /// policy says so and their normalizers by all: they add up to 1 but for that rounding; `automatic` and `autotune`
  /// never say so there. `attention_weights` may round otherwise than the forward pass.
  ///
  /// No effect on other rows than `group_threads` names, on rows that do not move as words of 16 bytes, on heads of
  /// other than a power of two of words whose channels are summed, on float16 but in inner products and softmax sums,
  /// with static extents or few geometries, on a softmax beside other gathers, on gradients of 16-bit rows under one
  /// whose scores sum channels, on dot tiles, on passes that sum over all edges, on messages of channels that are
  /// stored edge by edge, on softmax sums of up to 64 channels and states of more than one number per channel (maxima
  /// with their arguments, two gradients) where the schedule has pieces, and on CPUs.
  group_threads threads = group_threads::all;

  /// When the pieces of cut rows start; no bit of a result changes.
  ///
  /// No effect by degree, where long rows come first anyway, in partitions (but in tiles, which run without), on passes
  /// that sum over all edges, on rows that groups of up to four threads take, and on CPUs.
  piece_order pieces = piece_order::ahead;

  static constexpr char const* name = "row_split";
  /// Calls f(name, number) for every number, in the order of the policy's text.
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    f("max_edges", split.max_edges);
    f("order", split.order);
    f("partitions", split.partitions);
    f("tile", split.tile);
    f("dot_tile", split.dot_tile);
    f("block", split.block);
    f("threads", split.threads);
    f("pieces", split.pieces);
  }

  bool operator==(row_split const&) const = default;
};

/// Elements of a tile at least: narrower rows do not reach the rate at which wide ones are gathered.
inline constexpr std::int64_t least_tile = 64;

/// Rows of up to so many edges are not cut at the borders of partitions: 48 per partition, at most 256, but 16 per
/// partition at least, where a slot's traffic is an eighth of a piece's (docs/tuning.md, R16).
constexpr std::int64_t least_partitioned_degree(std::int64_t partitions) {
  std::int64_t const enough = partitions < 6 ? 48 * partitions : 256;
  return partitions > enough / 16 ? 16 * partitions : enough;
}

/// Partitions of which each has features for half of the cache, with what a launch of as many rows' parts reads by edge
/// id: what else is read and written needs room, too. 1 where all of it fits.
constexpr std::int64_t partitions_for_cache(workload work) {
  if (work.cache_bytes <= 0 || work.neighbor_bytes + work.edge_bytes <= work.cache_bytes) return 1;
  std::int64_t partitions = work.neighbor_bytes > 0 ? (2 * work.neighbor_bytes - 1) / work.cache_bytes + 1 : 1;
  auto const bytes = [&](double p) {
    return static_cast<double>(work.neighbor_bytes) / p + static_cast<double>(work.edge_bytes) / (p * p);
  };
  while (work.edge_bytes > 0 && 2 * bytes(static_cast<double>(partitions)) > static_cast<double>(work.cache_bytes)) {
    ++partitions;
  }
  return partitions;
}

/// Every row in one place, but for those of more than `length_of_cut_walk` edges on a GPU: as many groups of one warp
/// share a row as its features leave room for.
struct row_per_group {
  row_order order = row_order::stored;

  static constexpr char const* name = "row_per_group";
  /// Calls f(name, number) for every number, in the order of the policy's text.
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    f("order", split.order);
  }

  bool operator==(row_per_group const&) const = default;
};

/// Rows, and pieces of those of more than `max_edges` edges, as `row_split` has them, taken from a queue: on a GPU by
/// the warps of as many blocks as fit it at once. CPUs take shares of rows whatever the split.
struct dynamic_rows {
  std::int64_t max_edges = std::numeric_limits<std::int64_t>::max();
  row_order order = row_order::degree;

  static constexpr char const* name = "dynamic_rows";
  /// Calls f(name, number) for every number, in the order of the policy's text.
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    f("max_edges", split.max_edges);
    f("order", split.order);
  }

  bool operator==(dynamic_rows const&) const = default;
};

/// Equal shares of the edges, whatever the rows: a row counts as max(1, degree) places, and a group takes `length` of
/// them, rounded up to a power of two, on a GPU as `walk_length` bounds it. Rows that cross the border of a share leave
/// partial states, which are folded in order. Slots take the memory of 2 * (num_rows + num_edges) / length rows of
/// features.
struct edge_split {
  std::int64_t length = 64;

  static constexpr char const* name = "edge_split";
  /// Calls f(name, number) for every number, in the order of the policy's text.
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    f("length", split.length);
  }

  bool operator==(edge_split const&) const = default;
};

/// Does a plan take the tiles of a graph that has some, or leave their edges to rows?
enum class tile_use { taken, left };

/// Windows of tiles (format/wsb.hpp), on tensor cores of a GPU: one warp per window and head, windows of more than
/// `max_tiles` tiles in pieces, whose states are folded in order. `rows`: how rows are split that no tile takes, on a
/// CPU all of them. ReadsTf32: do tiles take rows stored as float, and read them as tf32?
template <bool ReadsTf32>
struct basic_tile_split {
  row_split rows = {};
  std::int64_t max_tiles = std::numeric_limits<std::int64_t>::max();
  tile_use tiles = tile_use::taken;

  static constexpr char const* name = ReadsTf32 ? "tf32_tile_split" : "tile_split";
  /// Are tiles taken of rows that are stored so?
  static constexpr tile_use use_for(tiled_storage storage) {
    bool const taken = storage == tiled_storage::bits16 || (ReadsTf32 && storage == tiled_storage::float32);
    return taken ? tile_use::taken : tile_use::left;
  }
  /// Calls f(name, number) for every number, in the order of the policy's text.
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    row_split::for_each_number(split.rows, f);
    f("max_tiles", split.max_tiles);
    f("tiles", split.tiles);
  }

  bool operator==(basic_tile_split const&) const = default;
};
using tile_split = basic_tile_split<false>;
using tf32_tile_split = basic_tile_split<true>;

namespace detail {

template <class Split>
inline constexpr bool is_tile_split = false;
template <bool ReadsTf32>
inline constexpr bool is_tile_split<basic_tile_split<ReadsTf32>> = true;

/// What the text of a policy can hold.
template <class Number>
concept policy_number =
    std::same_as<Number, std::int64_t> || std::same_as<Number, row_order> || std::same_as<Number, block_size> ||
    std::same_as<Number, group_threads> || std::same_as<Number, piece_order> || std::same_as<Number, tile_use>;

struct ignore_number {
  template <policy_number Number>
  void operator()(char const*, Number const&) const {}
};

}  // namespace detail

/// What a mapping may decide: numbers with names, each a positive std::int64_t or one of the enums above, and schedules
/// that carry them out (schedule/host_schedule.hpp, schedule/device_schedule.cuh).
template <class Split>
concept work_split = std::equality_comparable<Split> && requires(Split const& split) {
  { Split::name } -> std::convertible_to<char const*>;
  Split::for_each_number(split, detail::ignore_number{});
};

/// Rows are cut at 64 edges at least, since shorter pieces cost more than they balance; at 16 where there are so few
/// edges that the longest row decides the time, and at 32 between (docs/tuning.md, R1).
constexpr std::int64_t least_length(workload work) {
  if (work.num_edges <= 1 << 15) return 16;
  return work.num_edges <= 1 << 17 ? 32 : 64;
}

/// Edges after which cutting pays: enough to keep slots O(rows). Of narrow rows 64 for each group that shares one,
/// since a slot costs more than to walk on; 64 where gradients may be asked for that sum channels, by wider groups
/// (docs/tuning.md, R2).
constexpr std::int64_t balanced_length(workload work) {
  std::int64_t least = least_length(work);
  if (work.groups.narrow > 0) {
    least = 64;
    if (!work.has_channel_sums) least *= detail::share_cut_row(work.groups.narrow, work.mean_degree(), work.num_rows);
  }
  std::int64_t const balanced = 4 * (work.mean_degree() + 1);  // at most half a slot per row
  return balanced > least ? balanced : least;
}

}  // namespace edgewise::inline v0
