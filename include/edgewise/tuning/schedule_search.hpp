// Which schedules are worth measuring, and how one is chosen by measuring: the host's part of autotune.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0::detail {

/// Schedules measured for one grouping at most, the mapping's own among them.
inline constexpr int most_measured_splits = 23;

/// A split is preferred to the mapping's own where it takes less than this part of its time: measurements repeat within
/// 2 %.
inline constexpr double worthwhile = 0.98;

/// Rows cut elsewhere: the lengths and quantiles of the IO-aware layers (2026), section D.1, and none. Not where slots
/// would take more than two rows of features per row, and only where another bound cuts other rows.
template <class Pieces>
requires requires(Pieces split) { split.max_edges; }
std::vector<Pieces> other_lengths(Pieces own, degree_histogram const& degrees, workload const&) {
  std::vector<Pieces> others;
  std::int64_t const mean = degrees.work().mean_degree();
  auto const uncut = [&](std::int64_t longest) { return longest >= degrees.max_degree(); };
  auto const add = [&](std::int64_t longest) {
    if (uncut(longest)) longest = no_bound;
    if (longest <= mean || longest == own.max_edges || (uncut(longest) && uncut(own.max_edges))) return;
    for (Pieces const& known : others) {
      if (known.max_edges == longest) return;
    }
    Pieces other = own;
    other.max_edges = longest;
    others.push_back(other);
  };
  for (std::int64_t const longest : {std::int64_t{32}, std::int64_t{128}, std::int64_t{512}}) add(longest);
  add(degrees.quantile(0.99));
  add(degrees.quantile(0.999));
  add(no_bound);
  return others;
}
inline std::vector<row_per_group> other_lengths(row_per_group, degree_histogram const&, workload const&) { return {}; }
inline std::vector<edge_split> other_lengths(edge_split own, degree_histogram const& degrees, workload const&) {
  std::vector<edge_split> others;
  std::int64_t const places = degrees.work().num_rows + degrees.work().num_edges;
  for (std::int64_t const length : {64, 128, 256, 512, 1024}) {
    if (length != own.length && length * degrees.work().num_rows >= places) others.push_back({.length = length});
  }
  return others;
}

/// Tiles left to their rows or taken, and windows cut shorter and longer.
template <bool ReadsTf32>
std::vector<basic_tile_split<ReadsTf32>> other_lengths(basic_tile_split<ReadsTf32> own, degree_histogram const&,
                                                       workload const& work) {
  std::vector<basic_tile_split<ReadsTf32>> others;
  if (own.use_for(work.storage_of_tiles) == tile_use::left) return others;
  basic_tile_split<ReadsTf32> other = own;
  other.tiles = own.tiles == tile_use::taken ? tile_use::left : tile_use::taken;
  others.push_back(other);
  for (std::int64_t const length : {own.max_tiles / 2, 2 * own.max_tiles}) {
    if (own.max_tiles == no_bound || length == 0) continue;
    other = own;
    other.tiles = tile_use::taken;
    other.max_tiles = length;
    others.push_back(other);
  }
  return others;
}

/// May pieces of a split start ahead of all rows or in the place of theirs, and does it make a difference?
inline bool has_turns(row_split const& split, degree_histogram const& degrees, workload work) {
  return split.order != row_order::degree && split.partitions == 1 && split.max_edges < degrees.max_degree() &&
         work.groups.narrow == 0;
}

/// The other orders of rows, of splits that have one; in windows with pieces in place, as they are fastest there.
template <class Split>
std::vector<Split> other_orders(Split const& split, [[maybe_unused]] degree_histogram const& degrees,
                                [[maybe_unused]] workload work) {
  std::vector<Split> others;
  for (row_order const order : {row_order::stored, row_order::degree, row_order::windows, row_order::short_windows}) {
    Split other = split;
    Split::for_each_number(other, [&](char const*, auto& number) {
      if constexpr (std::is_same_v<decltype(number), row_order&>) number = order;
    });
    if (other == split) continue;
    if constexpr (std::is_same_v<Split, row_split>) {
      if (has_windows(order) && has_turns(other, degrees, work)) other.pieces = piece_order::in_place;
    }
    others.push_back(other);
  }
  return others;
}

/// The other turn of pieces, where there are some and it makes a difference.
inline std::vector<row_split> other_pieces(row_split own, degree_histogram const& degrees, workload work) {
  if (!has_turns(own, degrees, work)) return {};
  row_split other = own;
  other.pieces = own.pieces == piece_order::ahead ? piece_order::in_place : piece_order::ahead;
  return {other};
}
template <class Split>
std::vector<Split> other_pieces(Split const&, degree_histogram const&, workload) {
  return {};
}

/// Other numbers of partitions, where features, and what edges read by id, are larger than the cache and rows long
/// enough to be cut.
inline std::vector<row_split> other_partitions(row_split own, degree_histogram const& degrees, workload work) {
  std::vector<row_split> others;
  std::int64_t const fitting = partitions_for_cache(work);
  if (fitting == 1) return others;
  for (std::int64_t const partitions : {std::int64_t{1}, fitting / 2, fitting, 2 * fitting}) {
    bool const cuts = partitions > 1 && degrees.max_degree() > least_partitioned_degree(partitions);
    if (partitions == own.partitions || !(partitions == 1 || cuts)) continue;
    row_split other = own;
    other.partitions = partitions;
    if (others.empty() || others.back() != other) others.push_back(other);
  }
  return others;
}
template <class Split>
std::vector<Split> other_partitions(Split const&, degree_histogram const&, workload) {
  return {};
}

/// The other tiles that cut rows of so many elements. `tile`: the member of `row_split` that is to differ.
inline std::vector<row_split> other_tiles(row_split own, std::int64_t row_split::*tile, std::int64_t elements) {
  std::vector<row_split> others;
  auto const cuts = [&](std::int64_t length) { return length < elements; };
  for (std::int64_t const length : {least_tile, 2 * least_tile, no_bound}) {
    bool const is_own = length == own.*tile || (length == no_bound && !cuts(own.*tile));
    if (is_own || (length != no_bound && !cuts(length))) continue;
    row_split other = own;
    other.*tile = length;
    others.push_back(other);
  }
  return others;
}
/// Narrower tiles of rows, where these may be cut and features are larger than a fifth of the cache; the narrowest by
/// half the threads, which gain most there.
inline std::vector<row_split> other_tiles(row_split own, workload work) {
  if (work.tile_elements == 0 || 5 * work.neighbor_bytes <= work.cache_bytes) return {};
  std::vector<row_split> others = other_tiles(own, &row_split::tile, work.tile_elements);
  if (!others.empty() && others.front().tile == least_tile && work.groups.half_of_tile > 0) {
    others.front().threads = group_threads::half;
  }
  return others;
}
/// Narrower tiles of what inner products sum, where features are larger than the cache.
inline std::vector<row_split> other_dot_tiles(row_split own, workload work) {
  if (work.dot_tile_elements == 0 || work.neighbor_bytes <= work.cache_bytes) return {};
  return other_tiles(own, &row_split::dot_tile, work.dot_tile_elements);
}
template <class Split>
std::vector<Split> other_tiles(Split const&, workload) {
  return {};
}
template <class Split>
std::vector<Split> other_dot_tiles(Split const&, workload) {
  return {};
}

/// Blocks of the other sizes, where rows are wide enough for a choice.
inline std::vector<row_split> other_blocks(row_split own, workload work) {
  std::vector<row_split> others;
  constexpr std::int64_t narrow_row = 512;  // bytes
  if (work.neighbor_bytes > 0 && work.neighbor_bytes <= narrow_row * work.num_neighbors) return others;
  for (block_size const block :
       {block_size::chosen, block_size::threads_32, block_size::threads_64, block_size::threads_128}) {
    if (block == own.block) continue;
    row_split other = own;
    other.block = block;
    others.push_back(other);
  }
  return others;
}
template <class Split>
std::vector<Split> other_blocks(Split const&, workload) {
  return {};
}

/// The other number of threads per row, where rows are of a width that has two.
inline std::vector<row_split> other_threads(row_split own, workload work) {
  bool const is_tiled = own.tile < work.tile_elements;
  if ((is_tiled ? work.groups.half_of_tile : work.groups.half) == 0) return {};
  row_split other = own;
  other.threads = own.threads == group_threads::all ? group_threads::half : group_threads::all;
  return {other};
}
template <class Split>
std::vector<Split> other_threads(Split const&, workload) {
  return {};
}

/// The split that `measure(split)`, in milliseconds, finds fastest, one number after the other; `own` unless another
/// one is worthwhile. `milliseconds` becomes its time, `own_milliseconds` that of `own`, `num_measured` grows.
template <class Split, class Measure>
Split search_splits(Split const& own, degree_histogram const& degrees, workload work, Measure const& measure,
                    double& milliseconds, double& own_milliseconds, int& num_measured) {
  Split best = own;
  own_milliseconds = measure(own);
  milliseconds = own_milliseconds;
  ++num_measured;
  double bound = own_milliseconds * worthwhile;
  auto const try_all = [&](std::vector<Split> const& others) {
    for (Split const& other : others) {
      double const ms = measure(other);
      ++num_measured;
      if (ms < bound) {
        best = other;
        milliseconds = ms;
        bound = ms;
      }
    }
  };
  try_all(other_lengths(own, degrees, work));
  try_all(other_orders(best, degrees, work));
  try_all(other_pieces(best, degrees, work));
  try_all(other_partitions(best, degrees, work));
  try_all(other_tiles(best, work));
  try_all(other_dot_tiles(best, work));
  try_all(other_blocks(best, work));
  try_all(other_threads(best, work));
  return best;
}

}  // namespace edgewise::inline v0::detail
