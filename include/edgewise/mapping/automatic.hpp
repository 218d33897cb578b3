// The mapping that the library chooses.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/feature_adaptive_group.hpp>

namespace edgewise::inline v0 {

/// The library chooses for the graph: one group of threads per row, as with `feature_adaptive_group`, and from the
/// degrees and a sample of the neighbors of each grouping where to cut, in which order, by how many threads, and
/// whether in partitions or tiles. A plan for one graph on a GPU reads them, which takes two launches and waits for
/// them; plans for a capacity and on a CPU go by the numbers of rows and edges alone. Over graph{coo} a plan groups the
/// edges first, or under `nondeterministic{}` scatters them where that is less (plan/recipe/coo_automatic.hpp).
struct automatic {
  static constexpr char const* name = "automatic";

  /// Forward and backward passes that a plan over graph{coo} is expected to run with the same edges: 1 for a graph that
  /// changes at each step. Positive. No effect without `nondeterministic{}`, or where edges are grouped already.
  double passes = std::numeric_limits<double>::infinity();

  constexpr degree_use uses_degrees() const { return degree_use::welcome; }

  row_split split(degree_histogram const& degrees) const {
    row_order const by = order(degrees);
    std::int64_t const length = longest(degrees, by);
    std::int64_t const in_tiles = tile(degrees, by);
    // Passes in tiles run without partitions.
    bool const takes_whole_rows = in_tiles == row_split{}.tile || degrees.work().has_edge_operands;
    return {.max_edges = length,
            .order = by,
            .partitions = takes_whole_rows ? partitions(degrees) : 1,
            .tile = in_tiles,
            .block = block(by),
            .threads = threads(degrees, length, by, in_tiles != row_split{}.tile),
            .pieces = pieces(degrees, by)};
  }
  constexpr row_split split(workload work) const { return feature_adaptive_group{}.split(work); }

private:
  /// Cut as short as leaves one piece per 16 rows at most, or on small graphs 4096 pieces and one per two rows, and not
  /// shorter than `least_length`: pieces balance, until their slots cost more. One piece per 64 rows where rows start
  /// by degree: what starts first may take longer. One piece per 4 rows in windows, where pieces run in their place
  /// (docs/tuning.md, R3).
  static std::int64_t longest(degree_histogram const& degrees, row_order by) {
    if (degrees.work().groups.narrow > 0) return balanced_length(degrees.work());
    std::int64_t const rows = degrees.work().num_rows;
    std::int64_t const few = rows / 2 < 4096 ? rows / 2 : 4096;
    std::int64_t const part = rows / (by == row_order::degree ? 64 : has_windows(by) ? 4 : 16);
    std::int64_t const most = part > few ? part : few;
    // Of the lengths 16 * 2^(k/4), the least with so few pieces.
    auto const length = [](int k) { return static_cast<std::int64_t>(16 * std::exp2(0.25 * k)); };
    int low = 0;
    int high = 0;
    while (length(high) < degrees.max_degree()) high += 16;
    while (low < high) {
      int const middle = (low + high) / 2;
      if (degrees.num_pieces(length(middle)) <= most) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    std::int64_t const balanced = length(low);
    std::int64_t const least = shortest(degrees);
    return balanced > least ? balanced : least;
  }

  /// No shorter than `least_length`, nor, up to 128 edges, than leaves a hub, whose slots one group folds, as many
  /// edges per piece as slots (docs/tuning.md, R4).
  static std::int64_t shortest(degree_histogram const& degrees) {
    constexpr std::int64_t enough = 128;
    std::int64_t const of_hub = static_cast<std::int64_t>(std::sqrt(static_cast<double>(degrees.max_degree())));
    std::int64_t const least = least_length(degrees.work());
    return of_hub < least ? least : (of_hub < enough ? of_hub : enough);
  }

  /// Rows side by side share no more neighbors than any others do: they may run far apart.
  static bool may_reorder(degree_histogram const& degrees) { return degrees.distinct_neighbors() >= 0.9; }

  /// Rows side by side share no more than half of their neighbors, and all neighbors' features, rows of 128 bytes or
  /// more, fit in a third of the cache: then they may run far apart, too (docs/tuning.md, R5).
  static bool are_cached(degree_histogram const& degrees) {
    workload const work = degrees.work();
    bool const are_wide = work.neighbor_bytes >= 128 * work.num_neighbors && work.neighbor_bytes > 0;
    return are_wide && 3 * work.neighbor_bytes <= work.cache_bytes && degrees.distinct_neighbors() >= 0.5;
  }

  /// By degree where degrees differ by more edges than a group takes at a time, and not all rows run at once anyway; in
  /// windows where rows side by side share neighbors (docs/tuning.md, R6). Rows of one thread each are read with their
  /// neighbors' ids and weights, which lie as stored: they start by degree only where degrees differ by several times
  /// their mean (docs/tuning.md, R7). In short windows where rows side by side share more than those of a long one do
  /// (docs/tuning.md, R8).
  static row_order order(degree_histogram const& degrees) {
    double const mean = static_cast<double>(degrees.work().mean_degree());
    bool const differ = degrees.deviation() >= (degrees.work().groups.narrow == 1 && mean > 1 ? 4 * mean : 4);
    if (!differ || degrees.work().num_rows <= 2 * window_rows) return row_order::stored;
    if (may_reorder(degrees) || are_cached(degrees)) return row_order::degree;
    return degrees.distinct_in_window() < 0.85 ? row_order::short_windows : row_order::windows;
  }
  /// In place where rows in flight stay neighbors, but of narrow rows, of which pieces have blocks of their own.
  static piece_order pieces(degree_histogram const& degrees, row_order by) {
    return has_windows(by) && degrees.work().groups.narrow == 0 ? piece_order::in_place : piece_order::ahead;
  }
  /// Rows of a window are of one length side by side and share neighbors: large blocks (docs/tuning.md, R9).
  static constexpr block_size block(row_order by) {
    return has_windows(by) ? block_size::threads_128 : block_size::chosen;
  }
  /// Half the threads where rows are short, and so many that a multiprocessor has enough of them: there are twice as
  /// many groups, and each takes longer. In windows, rows of about one length run side by side and share neighbors:
  /// they should nearly fill the device once, however long they are. Other rows of up to 64 edges should fill it by
  /// sixteen threads each once, in tiles one and a half times. Not so where an edge waits for its id first
  /// (docs/tuning.md, R10).
  static group_threads threads(degree_histogram const& degrees, std::int64_t longest, row_order by, bool in_tiles) {
    workload const work = degrees.work();
    int const half = in_tiles ? work.groups.half_of_tile : work.groups.half;
    std::int64_t const wanted = work.num_rows * half;
    if (half == 0) return group_threads::all;
    bool const are_short = work.num_edges <= (work.groups.has_softmax ? 32 : 64) * work.num_rows;
    bool const hides = are_short && hides_longest_piece(degrees, longest, wanted);
    return hides || fills_device(degrees, by, in_tiles, wanted) ? group_threads::half : group_threads::all;
  }
  /// wanted: threads of all rows.
  static bool fills_device(degree_histogram const& degrees, row_order by, bool in_tiles, std::int64_t wanted) {
    workload const work = degrees.work();
    if (work.groups.has_softmax || (work.reads_edges_by_id && !in_tiles)) return false;
    if (has_windows(by)) return 4 * wanted >= 3 * resident;
    bool const is_wide = !in_tiles && work.groups.half >= 16;
    return work.num_edges <= 64 * work.num_rows &&
           (in_tiles ? 2 * wanted >= 3 * resident : is_wide && wanted >= resident);
  }
  static constexpr std::int64_t resident = 1152 * detail::typical_multiprocessors;  // threads of 56 registers
  /// All rows should fill the device four times, and once for each 16 edges of the longest piece; rows of up to eight
  /// edges, a group's two loads, fill half of it, and it once for each ten. Rows of a softmax (`halves_softmax`) of
  /// more than 32 edges were not measured.
  static bool hides_longest_piece(degree_histogram const& degrees, std::int64_t longest, std::int64_t wanted) {
    std::int64_t const piece = degrees.max_degree() < longest ? degrees.max_degree() : longest;
    return piece <= 8 ? 2 * wanted >= resident && 10 * wanted >= piece * resident
                      : wanted >= 4 * resident && 16 * wanted >= piece * resident;
  }
  /// Is each neighbor read so often that the cache is worth it?
  static constexpr bool is_read_often(workload work) { return work.num_edges >= 16 * work.num_neighbors; }

  /// Where features are twice as large as the cache or larger, each is read many times, rows are long enough, and rows
  /// in flight would not share their neighbors anyway (docs/tuning.md, R14). What is read by edge id counts where the
  /// mean row is long enough (docs/tuning.md, R15).
  static std::int64_t partitions(degree_histogram const& degrees) {
    constexpr std::int64_t most = 64;  // those of more are of hubs alone
    auto const fitting = [&](workload work, std::int64_t longest) -> std::int64_t {
      std::int64_t const parts = partitions_for_cache(work);
      bool const outgrow = work.neighbor_bytes + work.edge_bytes >= 2 * work.cache_bytes;
      bool const cuts_rows = longest > least_partitioned_degree(parts);
      return outgrow && is_read_often(work) && cuts_rows && may_reorder(degrees) && parts <= most ? parts : 1;
    };
    workload work = degrees.work();
    if (work.edge_bytes > 0) {
      std::int64_t const parts = fitting(work, work.mean_degree());
      if (parts > 1) return parts;
      work.edge_bytes = 0;
    }
    return fitting(work, degrees.max_degree());
  }
  /// 256 bytes of a row at a time, where at most a ninth of the last tile's channels is idle, and those of a tile are
  /// no more than twice as large as the cache, or four times where each is read 16 times (docs/tuning.md, R17).
  static std::int64_t tile(degree_histogram const& degrees, row_order by) {
    workload const work = degrees.work();
    std::int64_t const all = row_split{}.tile;
    if (work.tile_elements <= 0) return all;
    std::int64_t const narrow = work.narrow_tile;
    std::int64_t const in_tiles = (work.tile_elements + narrow - 1) / narrow * narrow;
    bool const divides = work.tile_elements > narrow && 8 * in_tiles <= 9 * work.tile_elements;
    std::int64_t const most_bytes = (is_read_often(work) ? 4 : 2) * work.cache_bytes;
    bool const helps = work.neighbor_bytes / work.tile_elements * narrow <= most_bytes;
    return divides && helps && (outgrows_cache(degrees) || outgrows_rows(degrees, by)) ? narrow : all;
  }
  /// All neighbors' features are larger than the cache, each is read at least four times, and rows in flight share few.
  /// Where edges are read by id, each tile waits for them again: they should lie in the cache, and a neighbor be read
  /// more often.
  static bool outgrows_cache(degree_histogram const& degrees) {
    workload const work = degrees.work();
    if (degrees.distinct_neighbors() < 0.6) return false;
    if (work.reads_edges_by_id) {
      return 5 * work.neighbor_bytes > 4 * work.cache_bytes && work.num_edges >= 10 * work.num_neighbors &&
             work.edge_bytes > 0 && 4 * work.edge_bytes <= work.cache_bytes;
    }
    return work.neighbor_bytes > work.cache_bytes && work.num_edges >= 4 * work.num_neighbors;
  }
  /// They are in the cache that all groups share, but more than a fifth of it: the caches of the multiprocessors hold
  /// more of the rows that are read often where these are narrow. Of rows of three tiles and more, in windows of two.
  /// Where rows are too few for half the threads, they should be read more often. Not under a softmax, nor by id
  /// (docs/tuning.md, R17).
  static bool outgrows_rows(degree_histogram const& degrees, row_order by) {
    workload const work = degrees.work();
    int const half = work.groups.half_of_tile;
    bool const was_measured = half > 0 && !work.groups.has_softmax && !work.reads_edges_by_id;
    if (!was_measured || 5 * work.neighbor_bytes <= work.cache_bytes) return false;
    std::int64_t const enough = !fills_device(degrees, by, true, work.num_rows * half) ? 30 : has_windows(by) ? 20 : 8;
    bool const is_wide = has_windows(by) || work.tile_elements >= 3 * work.narrow_tile;
    bool const share_few = has_windows(by) || degrees.distinct_neighbors() >= 0.6;  // of rows as stored
    return is_wide && share_few && work.num_edges >= enough * work.num_neighbors;
  }
};

}  // namespace edgewise::inline v0
