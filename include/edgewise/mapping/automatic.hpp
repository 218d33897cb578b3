// The mapping that the library chooses.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/feature_adaptive_group.hpp>

namespace edgewise {

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

  row_pieces deal(degree_histogram const& degrees) const {
    row_order const by = order(degrees);
    std::int64_t const length = longest(degrees, by);
    std::int64_t const in_tiles = tile(degrees);
    // Passes in tiles run without partitions.
    bool const takes_whole_rows = in_tiles == row_pieces{}.tile || degrees.size().has_edge_operands;
    return {.longest = length,
            .order = by,
            .partitions = takes_whole_rows ? partitions(degrees) : 1,
            .tile = in_tiles,
            .block = block(by),
            .threads = threads(degrees, length),
            .pieces = pieces(degrees, by)};
  }
  constexpr row_pieces deal(grouping_size size) const { return feature_adaptive_group{}.deal(size); }

private:
  /// Cut as short as leaves a piece for 16 rows at most, or on small graphs 4096 pieces and one for two rows, and not
  /// shorter than `least_length`: pieces balance, until their slots cost more. A piece for 64 rows where rows start by
  /// degree: what starts first may take longer. H200 2026-11, bench_choices, fp32 and 64 and 256 lanes, best cuts and
  /// pieces a row there: cora 16: 0.07, arxiv in windows 32 to 64: 0.12 to 0.05, by degree 128 to 512: 0.02 to 0.004.
  /// A piece for 4 rows in windows, where pieces run in their place. H100 2026-11, weighted sum and its gradient,
  /// transformer and its gradients, 64 to 256 lanes, time over that of the best cut in the mean, and pieces a row:
  /// products cut at 64 1.02, 91 1.00 (0.20; in short windows 0.99), 128 1.00, 181 1.01, 256 1.04; proteins 512 1.02,
  /// 1024 1.01, 1218 1.00 (0.21), 1722 1.00; dense 512 1.03 (0.35), 609 1.00 (0.08), 724 1.00, 1024 1.04; pieces ahead
  /// of rows, same cuts: products 1.05, proteins 1.01 to 1.03, dense 0.99 to 1.00, web 1.01.
  static std::int64_t longest(degree_histogram const& degrees, row_order by) {
    if (degrees.size().narrow_group > 0) return balanced_length(degrees.size());
    std::int64_t const rows = degrees.size().num_rows;
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
  /// edges a piece as slots. H100 2026-11, by degree, weighted sum, its gradient and transformer forward of 64 lanes,
  /// time over the best cut: 280,000 edges, a hub of 10,000, cut at 64 1.23 1.00 1.15, at 96 1.06 1.03 1.05.
  static std::int64_t shortest(degree_histogram const& degrees) {
    constexpr std::int64_t enough = 128;
    std::int64_t const of_hub = static_cast<std::int64_t>(std::sqrt(static_cast<double>(degrees.max_degree())));
    std::int64_t const least = least_length(degrees.size());
    return of_hub < least ? least : (of_hub < enough ? of_hub : enough);
  }

  /// Rows side by side share no more neighbors than any others do: they may run far apart.
  static bool may_reorder(degree_histogram const& degrees) { return degrees.neighbor_spread() >= 0.9; }

  /// Rows side by side share no more than half of their neighbors, and all neighbors' features, rows of 128 bytes or
  /// more, fit in a third of the cache: then they may run far apart, too. H100 2026-11, products' recipe at 16,000 to
  /// 110,000 vertices (a spread of 0.77 to 0.65), time by degree over that in windows, weighted sum and its gradient of
  /// 64 and 128 lanes: features of 4 and 8 MB 0.96 to 0.99, 16 MB 0.98 to 1.00, 28 MB 1.01 and 1.22, 33 MB 1.01
  /// and 1.08, 56 MB 1.26 and 1.42; the transformer of up to 16 MB 0.90 to 0.96, 33 MB 1.00 and 1.01.
  static bool are_cached(degree_histogram const& degrees) {
    grouping_size const size = degrees.size();
    bool const are_wide = size.neighbor_bytes >= 128 * size.num_neighbors && size.neighbor_bytes > 0;
    return are_wide && 3 * size.neighbor_bytes <= size.cache_bytes && degrees.neighbor_spread() >= 0.5;
  }

  /// By degree where degrees differ by more edges than a group takes at a time, and not all rows run at once anyway; in
  /// windows where rows side by side share neighbors. H200 2026-11, bench_choices: arxiv by degree 0.93 to 1.00 of the
  /// time in windows; dense up to 1.5, products 1.7 and roads 1.25, whose neighboring rows share sources. Rows of
  /// a thread each are read with their neighbors' ids and weights, which lie as stored: only where degrees differ by
  /// several times their mean. Of one lane, as stored, in windows, by degree, us: products 205, 214, 239, by source
  /// 411, 481, 739 (a deviation of 1.4 times the mean); arxiv 19.5, 18.9, 15.3, web 172, 161, 222.
  /// In short windows where rows side by side share more than those of a long one do. H100 2026-11, pieces in place,
  /// weighted sum and transformer, both passes, time over that in long windows in the mean, and `window_spread`: dense
  /// 0.97 (0.77), products 0.99 (0.79), proteins 1.03 (1.0); web, 0.9, was measured in long ones alone.
  static row_order order(degree_histogram const& degrees) {
    double const mean = static_cast<double>(degrees.size().mean_degree());
    bool const differ = degrees.deviation() >= (degrees.size().narrow_group == 1 && mean > 1 ? 4 * mean : 4);
    if (!differ || degrees.size().num_rows <= 2 * window_rows) return row_order::stored;
    if (may_reorder(degrees) || are_cached(degrees)) return row_order::degree;
    return degrees.window_spread() < 0.85 ? row_order::short_windows : row_order::windows;
  }
  /// In place where rows in flight stay neighbors, but of narrow rows, of which pieces have blocks of their own.
  static piece_order pieces(degree_histogram const& degrees, row_order by) {
    return has_windows(by) && degrees.size().narrow_group == 0 ? piece_order::in_place : piece_order::ahead;
  }
  /// Rows of a window are of one length side by side and share neighbors: large blocks. H200 2026-11, time with blocks
  /// of 128 threads over that of the default: dense, weighted sum of 256 and 512 lanes 0.94 and 0.95, transformer 4x64
  /// forward 0.96, backward 0.99; products 1.00, 0.94 and 1.01; as stored up to 1.05 (transformer, cut at 64 edges).
  static constexpr block_size block(row_order by) {
    return has_windows(by) ? block_size::threads_128 : block_size::chosen;
  }
  /// Half the threads where rows are short, and so many that a multiprocessor has enough of them: there are twice as
  /// many groups, and each takes longer. All rows should fill the device four times, and once for each 16 edges of the
  /// longest piece; rows of up to eight edges, a group's two loads, fill half of it, and it once for each ten. H200
  /// 2026-11, time over that of all threads, 64 and 128 lanes, weighted sum and its gradients, mean edges a row in
  /// brackets: roads (2), molecules (2) and mesh (6) 0.66 to 0.82, web (4) 0.77 to 0.98, arxiv (7) 0.80 to 0.95,
  /// uniform graphs (8 to 32) 0.86 to 0.99, products (50) 0.92 to 1.01; rand100k (480), proteins, reddit, dense 0.85
  /// to 1.12; cora, of 2708 rows, 1.15 to 1.23. Of a softmax (`halves_softmax`) up to 32 edges a row were measured, and
  /// gain. The generator's recipes at 10,000 to 110,000 vertices, H100 2026-11, best cuts of either: where this says
  /// half 0.81 to 1.03, in the mean 0.91 (30 cells), where it says all 0.92 to 1.31, in the mean 1.07 (68 cells).
  static group_threads threads(degree_histogram const& degrees, std::int64_t longest) {
    grouping_size const size = degrees.size();
    bool const are_short = size.num_edges <= (size.has_softmax ? 32 : 64) * size.num_rows;
    if (size.half_group == 0 || !are_short) return group_threads::all;
    std::int64_t const piece = degrees.max_degree() < longest ? degrees.max_degree() : longest;
    constexpr std::int64_t resident = 1152 * detail::typical_multiprocessors;  // threads of 56 registers
    std::int64_t const wanted = size.num_rows * size.half_group;
    bool const are_many = piece <= 8 ? 2 * wanted >= resident && 10 * wanted >= piece * resident
                                     : wanted >= 4 * resident && 16 * wanted >= piece * resident;
    return are_many ? group_threads::half : group_threads::all;
  }
  /// Is each neighbor read so often that the cache is worth it?
  static constexpr bool is_read_often(grouping_size size) { return size.num_edges >= 16 * size.num_neighbors; }

  /// Where features are twice as large as the cache or larger, each is read many times, rows are long enough, and rows
  /// in flight would not share their neighbors anyway. H200 2026-11, bench_choices, time over the best without
  /// partitions: reddit, whose neighbors lie anywhere, weighted sum of 256 lanes 0.75, graph transformer 4x64 forward
  /// 0.73, backward 0.80; products, where long rows alone are cut, 0.97 to 1.03; features of 1.6 times the cache
  /// (rand100k, 256 lanes) 1.10, of 1.5 times (dense, transformer) 1.07 to 1.15. What is read by edge id counts where
  /// the mean row is long enough: gradient of the features of reddit with one array of weights, 32, 64 and 128 lanes,
  /// features of 0.5 to 2 times the cache, 0.75, 0.82 and 0.74 with 5 and 7 partitions, 4 to 8 within 2 % of them.
  static std::int64_t partitions(degree_histogram const& degrees) {
    constexpr std::int64_t most = 64;  // those of more are of hubs alone
    auto const fitting = [&](grouping_size size, std::int64_t longest) -> std::int64_t {
      std::int64_t const parts = partitions_for_cache(size);
      bool const outgrow = size.neighbor_bytes + size.edge_bytes >= 2 * size.cache_bytes;
      bool const cuts_rows = longest > least_partitioned_degree(parts);
      return outgrow && is_read_often(size) && cuts_rows && may_reorder(degrees) && parts <= most ? parts : 1;
    };
    grouping_size size = degrees.size();
    if (size.edge_bytes > 0) {
      std::int64_t const parts = fitting(size, size.mean_degree());
      if (parts > 1) return parts;
      size.edge_bytes = 0;
    }
    return fitting(size, degrees.max_degree());
  }
  /// 256 bytes of a row at a time, where all neighbors' features are larger than the cache and those of a tile no more
  /// than twice as large, or four times where each is read 16 times, but each at least four times, rows in flight share
  /// few neighbors, and at most a ninth of the last tile's lanes is idle. Weighted sum, time over that of whole rows,
  /// or partitions. H200 2026-11: reddit 128 lanes 0.77, 256 0.89, 512 1.01; products 0.98, 0.98, 0.97; arxiv, whose
  /// vertices are read 7 times, by destination 0.95, 0.94, 0.93, by source, with weights by id, 1.04, 1.15, 1.12. By
  /// passes of 64 lanes proteins 1.03 and 1.01, dense 1.11, roads 1.08 and 1.44, whose rows share sources. H100
  /// 2026-11, weights in place, 128, 256, 512 and 608 lanes: arxiv by destination 0.85 0.79 0.78 0.75, by source 0.94
  /// 0.99 0.98 0.91; twice its size 0.89 0.88 0.88 0.84 and 0.96 1.01 1.00 0.94; cora's recipe of 5 reads 0.91 0.93
  /// 0.92 0.87, uniform graphs of 8 and 12 reads 0.81 0.76 0.76 0.74 and 0.72 0.62 0.61 0.62.
  static std::int64_t tile(degree_histogram const& degrees) {
    grouping_size const size = degrees.size();
    std::int64_t const all = row_pieces{}.tile;
    if (size.tile_elements <= 0) return all;
    std::int64_t const narrow = size.narrow_tile;
    std::int64_t const in_tiles = (size.tile_elements + narrow - 1) / narrow * narrow;
    bool const divides = size.tile_elements > narrow && 8 * in_tiles <= 9 * size.tile_elements;
    bool const is_read_again = size.num_edges >= 4 * size.num_neighbors;
    bool const outgrows = size.neighbor_bytes > size.cache_bytes;
    std::int64_t const most_bytes = (is_read_often(size) ? 4 : 2) * size.cache_bytes;
    bool const helps = size.neighbor_bytes / size.tile_elements * narrow <= most_bytes;
    return divides && outgrows && helps && is_read_again && degrees.neighbor_spread() >= 0.6 ? narrow : all;
  }
};

}  // namespace edgewise
