// Which schedules are worth measuring, and how one is chosen by measuring: the host's part of autotune.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <edgewise/mapping/deal.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/schedule_policy.hpp>

namespace edgewise::detail {

/// Schedules measured for one grouping at most, the mapping's own among them.
inline constexpr int most_measured_deals = 23;

/// A deal is preferred to the mapping's own where it takes less than this part of its time: measurements repeat within
/// 2 %.
inline constexpr double worthwhile = 0.98;

/// Rows cut elsewhere: the lengths and quantiles of the IO-aware layers (2026), section D.1, and none. Not where slots
/// would take more than two rows of features per row, and only where another bound cuts other rows.
template <class Pieces>
requires requires(Pieces deal) { deal.longest; }
std::vector<Pieces> other_lengths(Pieces own, degree_histogram const& degrees) {
  std::vector<Pieces> others;
  std::int64_t const mean = degrees.work().mean_degree();
  auto const uncut = [&](std::int64_t longest) { return longest >= degrees.max_degree(); };
  auto const add = [&](std::int64_t longest) {
    if (uncut(longest)) longest = no_bound;
    if (longest <= mean || longest == own.longest || (uncut(longest) && uncut(own.longest))) return;
    for (Pieces const& known : others) {
      if (known.longest == longest) return;
    }
    Pieces other = own;
    other.longest = longest;
    others.push_back(other);
  };
  for (std::int64_t const longest : {std::int64_t{32}, std::int64_t{128}, std::int64_t{512}}) add(longest);
  add(degrees.quantile(0.99));
  add(degrees.quantile(0.999));
  add(no_bound);
  return others;
}
inline std::vector<whole_rows> other_lengths(whole_rows, degree_histogram const&) { return {}; }
inline std::vector<edge_shares> other_lengths(edge_shares own, degree_histogram const& degrees) {
  std::vector<edge_shares> others;
  std::int64_t const places = degrees.work().num_rows + degrees.work().num_edges;
  for (std::int64_t const length : {64, 128, 256, 512, 1024}) {
    if (length != own.length && length * degrees.work().num_rows >= places) others.push_back({.length = length});
  }
  return others;
}

/// May pieces of a deal start ahead of all rows or in the place of theirs, and does it make a difference?
inline bool has_turns(row_pieces const& deal, degree_histogram const& degrees, workload work) {
  return deal.order != row_order::degree && deal.partitions == 1 && deal.longest < degrees.max_degree() &&
         work.groups.narrow == 0;
}

/// The other orders of rows, of deals that have one; in windows with pieces in place, as they are fastest there.
template <class Deal>
std::vector<Deal> other_orders(Deal const& deal, [[maybe_unused]] degree_histogram const& degrees,
                               [[maybe_unused]] workload work) {
  std::vector<Deal> others;
  for (row_order const order : {row_order::stored, row_order::degree, row_order::windows, row_order::short_windows}) {
    Deal other = deal;
    for_each_number(other, [&](char const*, auto& number) {
      if constexpr (std::is_same_v<decltype(number), row_order&>) number = order;
    });
    if (other == deal) continue;
    if constexpr (std::is_same_v<Deal, row_pieces>) {
      if (has_windows(order) && has_turns(other, degrees, work)) other.pieces = piece_order::in_place;
    }
    others.push_back(other);
  }
  return others;
}

/// The other turn of pieces, where there are some and it makes a difference.
inline std::vector<row_pieces> other_pieces(row_pieces own, degree_histogram const& degrees, workload work) {
  if (!has_turns(own, degrees, work)) return {};
  row_pieces other = own;
  other.pieces = own.pieces == piece_order::ahead ? piece_order::in_place : piece_order::ahead;
  return {other};
}
template <class Deal>
std::vector<Deal> other_pieces(Deal const&, degree_histogram const&, workload) {
  return {};
}

/// Other numbers of partitions, where features, and what edges read by id, are larger than the cache and rows long
/// enough to be cut.
inline std::vector<row_pieces> other_partitions(row_pieces own, degree_histogram const& degrees, workload work) {
  std::vector<row_pieces> others;
  std::int64_t const fitting = partitions_for_cache(work);
  if (fitting == 1) return others;
  for (std::int64_t const partitions : {std::int64_t{1}, fitting / 2, fitting, 2 * fitting}) {
    bool const cuts = partitions > 1 && degrees.max_degree() > least_partitioned_degree(partitions);
    if (partitions == own.partitions || !(partitions == 1 || cuts)) continue;
    row_pieces other = own;
    other.partitions = partitions;
    if (others.empty() || others.back() != other) others.push_back(other);
  }
  return others;
}
template <class Deal>
std::vector<Deal> other_partitions(Deal const&, degree_histogram const&, workload) {
  return {};
}

/// The other tiles that cut rows of so many elements, where features are larger than the cache. `tile`: the member of
/// `row_pieces` that is to differ.
inline std::vector<row_pieces> other_tiles(row_pieces own, std::int64_t row_pieces::*tile, std::int64_t elements,
                                           workload work) {
  std::vector<row_pieces> others;
  if (elements == 0 || work.neighbor_bytes <= work.cache_bytes) return others;
  auto const cuts = [&](std::int64_t length) { return length < elements; };
  for (std::int64_t const length : {least_tile, 2 * least_tile, no_bound}) {
    bool const is_own = length == own.*tile || (length == no_bound && !cuts(own.*tile));
    if (is_own || (length != no_bound && !cuts(length))) continue;
    row_pieces other = own;
    other.*tile = length;
    others.push_back(other);
  }
  return others;
}
/// Narrower tiles of rows, where these may be cut.
inline std::vector<row_pieces> other_tiles(row_pieces own, workload work) {
  return other_tiles(own, &row_pieces::tile, work.tile_elements, work);
}
/// Narrower tiles of what inner products sum.
inline std::vector<row_pieces> other_contractions(row_pieces own, workload work) {
  return other_tiles(own, &row_pieces::contraction, work.contraction_elements, work);
}
template <class Deal>
std::vector<Deal> other_tiles(Deal const&, workload) {
  return {};
}
template <class Deal>
std::vector<Deal> other_contractions(Deal const&, workload) {
  return {};
}

/// Blocks of the other sizes, where rows are wide enough for a choice.
inline std::vector<row_pieces> other_blocks(row_pieces own, workload work) {
  std::vector<row_pieces> others;
  constexpr std::int64_t narrow_row = 512;  // bytes
  if (work.neighbor_bytes > 0 && work.neighbor_bytes <= narrow_row * work.num_neighbors) return others;
  for (block_size const block :
       {block_size::chosen, block_size::threads_32, block_size::threads_64, block_size::threads_128}) {
    if (block == own.block) continue;
    row_pieces other = own;
    other.block = block;
    others.push_back(other);
  }
  return others;
}
template <class Deal>
std::vector<Deal> other_blocks(Deal const&, workload) {
  return {};
}

/// The other number of threads per row, where rows are of a width that has two.
inline std::vector<row_pieces> other_threads(row_pieces own, workload work) {
  if (work.groups.half == 0) return {};
  row_pieces other = own;
  other.threads = own.threads == group_threads::all ? group_threads::half : group_threads::all;
  return {other};
}
template <class Deal>
std::vector<Deal> other_threads(Deal const&, workload) {
  return {};
}

/// The deal that `measure(deal)`, in milliseconds, finds fastest, one number after the other; `own` unless another one
/// is worthwhile. `milliseconds` becomes its time, `own_milliseconds` that of `own`, `num_measured` grows.
template <class Deal, class Measure>
Deal search_deals(Deal const& own, degree_histogram const& degrees, workload work, Measure const& measure,
                  double& milliseconds, double& own_milliseconds, int& num_measured) {
  Deal best = own;
  own_milliseconds = measure(own);
  milliseconds = own_milliseconds;
  ++num_measured;
  double bound = own_milliseconds * worthwhile;
  auto const try_all = [&](std::vector<Deal> const& others) {
    for (Deal const& other : others) {
      double const ms = measure(other);
      ++num_measured;
      if (ms < bound) {
        best = other;
        milliseconds = ms;
        bound = ms;
      }
    }
  };
  try_all(other_lengths(own, degrees));
  try_all(other_orders(best, degrees, work));
  try_all(other_pieces(best, degrees, work));
  try_all(other_partitions(best, degrees, work));
  try_all(other_tiles(best, work));
  try_all(other_contractions(best, work));
  try_all(other_blocks(best, work));
  try_all(other_threads(best, work));
  return best;
}

}  // namespace edgewise::detail
