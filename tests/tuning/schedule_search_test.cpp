#include <edgewise/tuning/schedule_search.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

using namespace edgewise;
using namespace edgewise::detail;

namespace {

/// `rows` rows of `degree` edges, and one of `hub`.
degree_histogram degrees_of(std::int64_t rows, std::int64_t degree, std::int64_t hub) {
  std::vector<std::int32_t> counts(degree_histogram_classes);
  counts[static_cast<std::size_t>(histogram_class(degree))] = static_cast<std::int32_t>(rows);
  ++counts[static_cast<std::size_t>(histogram_class(hub))];
  return {{rows + 1, rows * degree + hub}, hub, counts};
}

template <class Split>
struct searched {
  Split split;
  double ms = 0, own_ms = 0;
  int num_measured = 0;
};
template <class Split, class Measure>
searched<Split> search(Split own, degree_histogram const& degrees, Measure const& measure, workload work = {}) {
  searched<Split> found;
  found.split = search_splits(own, degrees, work, measure, found.ms, found.own_ms, found.num_measured);
  return found;
}

}  // namespace

TEST_CASE("search_splits: finds the fastest length and then the order", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_split const& split) {
    return 1 + std::abs(std::log2(static_cast<double>(split.max_edges)) - 9) -
           (split.order == row_order::degree ? 0.5 : 0);
  };
  auto const found = search(row_split{.max_edges = 64}, degrees, ms);
  CHECK(found.split == row_split{512, row_order::degree});
  CHECK(found.ms == ms(found.split));
  CHECK(found.own_ms == ms({64}));
  CHECK(found.num_measured <= most_measured_splits);
}

TEST_CASE("search_splits: what saves less than noise is not chosen", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  row_split const own{.max_edges = 64};
  CHECK(search(own, degrees, [&](row_split const& split) { return split == own ? 1.0 : 0.985; }).split == own);
  CHECK(search(own, degrees, [&](row_split const& split) { return split == own ? 1.0 : 0.975; }).split != own);
  double const never = std::numeric_limits<double>::infinity();  // no memory
  auto const nothing = search(own, degrees, [&](row_split const&) { return never; });
  CHECK(nothing.split == own);
  CHECK(nothing.ms == never);
}

TEST_CASE("search_splits: no split twice, none that needs more than two slots a row", "[tuning]") {
  for (std::int64_t const degree : {0, 1, 20, 100, 500, 3000}) {
    for (std::int64_t const hub : {degree, 2 * degree + 40, std::int64_t{100000}}) {
      INFO("degree " << degree << ", hub " << hub);
      auto const degrees = degrees_of(1000, degree, hub);
      row_split const own{.max_edges = balanced_length(degrees.work())};
      std::vector<row_split> measured;
      search(own, degrees, [&](row_split const& split) {
        for (row_split const& earlier : measured) {
          CHECK(earlier != split);
          bool const cuts_nothing = earlier.max_edges >= hub && split.max_edges >= hub;
          CHECK((!cuts_nothing || earlier.order != split.order || earlier.block != split.block));
          CHECK((!cuts_nothing || earlier.pieces == split.pieces));
        }
        if (split.max_edges < hub) CHECK(split.max_edges > degrees.work().mean_degree());
        measured.push_back(split);
        return 1.0;
      });
      CHECK(measured.front() == own);
      CHECK(static_cast<int>(measured.size()) <= most_measured_splits);
      if (hub == degree) CHECK(measured.size() == 7);  // nothing to cut: only the orders and the blocks
    }
  }
}

TEST_CASE("search_splits: partitions where features are larger than the cache", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  auto const partitions_of = [&](row_split own, std::int64_t neighbor_bytes) {
    std::vector<std::int64_t> partitions;
    search(own, degrees,
           [&](row_split const& split) {
             if (split.partitions != own.partitions) partitions.push_back(split.partitions);
             return 1.0;
           },
           {.neighbor_bytes = neighbor_bytes, .cache_bytes = 50});
    return partitions;
  };
  row_split const own{.max_edges = 2000};
  CHECK(partitions_of(own, 50).empty());
  CHECK(partitions_of(own, 200) == std::vector<std::int64_t>{4, 8, 16});
  CHECK(partitions_of(own, 60) == std::vector<std::int64_t>{3, 6});     // half of 3 is none
  CHECK(partitions_of(own, 50000) == std::vector<std::int64_t>{1000});  // rows are too short for more
  CHECK(partitions_of({.max_edges = 2000, .partitions = 8}, 200) == std::vector<std::int64_t>{1, 4, 16});
  auto const found = search(own, degrees, [](row_split const& split) { return split.partitions == 8 ? 0.5 : 1.0; },
                            {.neighbor_bytes = 200, .cache_bytes = 50});
  CHECK(found.split == row_split{2000, row_order::stored, 8});
  CHECK(found.num_measured <= most_measured_splits);

  std::vector<std::int64_t> by_ids;  // features fit, what edges read by id does not
  search(own, degrees,
         [&](row_split const& split) {
           if (split.partitions != 1) by_ids.push_back(split.partitions);
           return 1.0;
         },
         {.neighbor_bytes = 40, .cache_bytes = 50, .edge_bytes = 400});
  CHECK(by_ids == std::vector<std::int64_t>{2, 5, 10});
}

TEST_CASE("search_splits: other tiles where features are larger than a fifth of the cache", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  constexpr std::int64_t all = row_split{}.tile;
  auto const tiles_of = [&](row_split own, std::int64_t tile_elements, std::int64_t neighbor_bytes = 60) {
    std::vector<std::int64_t> tiles;
    search(own, degrees,
           [&](row_split const& split) {
             if (split.tile != own.tile) tiles.push_back(split.tile);
             return 1.0;
           },
           {.neighbor_bytes = neighbor_bytes, .cache_bytes = 50, .tile_elements = tile_elements});
    return tiles;
  };
  CHECK(tiles_of({}, 256) == std::vector<std::int64_t>{64, 128});
  CHECK(tiles_of({.tile = 64}, 256) == std::vector<std::int64_t>{128, all});
  CHECK(tiles_of({}, 128) == std::vector<std::int64_t>{64});
  CHECK(tiles_of({}, 64).empty());
  CHECK(tiles_of({}, 0).empty());
  CHECK(tiles_of({}, 256, 11) == std::vector<std::int64_t>{64, 128});
  CHECK(tiles_of({}, 256, 10).empty());

  std::vector<group_threads> threads;  // of the narrow tile: half of them where there are such groups, then all
  auto const found =
      search(row_split{}, degrees,
             [&](row_split const& split) {
               if (split.tile == 64) threads.push_back(split.threads);
               return split.tile == 64 ? 0.5 : 1.0;
             },
             {.neighbor_bytes = 60, .cache_bytes = 50, .tile_elements = 256, .groups = {.half_of_tile = 8}});
  CHECK(found.split.threads == group_threads::half);
  CHECK(std::count(threads.begin(), threads.end(), group_threads::half) > 0);
  CHECK(threads.back() == group_threads::all);
  CHECK(found.num_measured <= most_measured_splits);
}

TEST_CASE("search_splits: other dot_tiles where inner products add up", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  constexpr std::int64_t all = row_split{}.dot_tile;
  workload const work{.neighbor_bytes = 60, .cache_bytes = 50, .tile_elements = 256, .dot_tile_elements = 1000};
  auto const dot_tiles_of = [&](row_split own, workload of) {
    std::vector<std::int64_t> dot_tiles;
    auto const found = search(
        own, degrees,
        [&](row_split const& split) {
          if (split.dot_tile != own.dot_tile) dot_tiles.push_back(split.dot_tile);
          return 1.0;
        },
        of);
    CHECK(found.num_measured <= most_measured_splits);
    return dot_tiles;
  };
  auto const with = [&](std::int64_t elements, std::int64_t neighbor_bytes = 60) {
    workload other = work;
    other.dot_tile_elements = elements;
    other.neighbor_bytes = neighbor_bytes;
    return other;
  };
  CHECK(dot_tiles_of({}, work) == std::vector<std::int64_t>{64, 128});
  CHECK(dot_tiles_of({.dot_tile = 64}, work) == std::vector<std::int64_t>{128, all});
  CHECK(dot_tiles_of({.dot_tile = 64}, with(128)) == std::vector<std::int64_t>{all});
  CHECK(dot_tiles_of({}, with(64)).empty());
  CHECK(dot_tiles_of({}, with(0)).empty());
  CHECK(dot_tiles_of({}, with(1000, 50)).empty());
  auto const shorter = [](row_split const& split) { return split.dot_tile == 128 ? 0.5 : 1.0; };
  CHECK(search(row_split{}, degrees, shorter, work).split == row_split{.dot_tile = 128});
}

TEST_CASE("search_splits: the block that is fastest with what was found before", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_split const& split) {
    return (split.order == row_order::windows ? 0.5 : 1.0) * (split.block == block_size::threads_128 ? 0.9 : 1.0);
  };
  auto const found = search(row_split{.max_edges = 64}, degrees, ms);
  CHECK(found.split == row_split{.max_edges = 64,
                                 .order = row_order::windows,
                                 .block = block_size::threads_128,
                                 .pieces = piece_order::in_place});
  CHECK(found.ms == 0.45);
  auto const of_width = [&](std::int64_t row_bytes) {
    return search(row_split{.max_edges = 64}, degrees, ms, {.num_neighbors = 7, .neighbor_bytes = 7 * row_bytes});
  };
  CHECK(of_width(516).split.block == block_size::threads_128);
  CHECK(of_width(512).split.block == block_size::chosen);
}

TEST_CASE("search_splits: the other turn of pieces, where there are some and it makes a difference", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_split const& split) {
    return (split.order == row_order::short_windows ? 0.5 : 1.0) * (split.pieces == piece_order::in_place ? 0.9 : 1.0);
  };
  auto const found = search(row_split{.max_edges = 64}, degrees, ms);
  row_split const in_place{.max_edges = 64, .order = row_order::short_windows, .pieces = piece_order::in_place};
  CHECK(found.split == in_place);
  CHECK(found.num_measured <= most_measured_splits);
  CHECK(search(in_place, degrees, ms).split == in_place);
  auto const measures_both = [&](row_split own, workload of = {}) {
    bool both = false;
    search(
        own, degrees,
        [&](row_split const& split) {
          both = both || (split.pieces != own.pieces && split.order == own.order);
          return split.order == own.order && split.max_edges == own.max_edges ? 1.0 : 2.0;
        },
        of);
    return both;
  };
  CHECK(measures_both({.max_edges = 64}));
  // Windows that win with pieces in place alone.
  auto const together = [](row_split const& split) {
    return has_windows(split.order) && split.pieces == piece_order::in_place ? 0.9 : 1.0;
  };
  CHECK(search(row_split{.max_edges = 64, .order = row_order::degree}, degrees, together).split ==
        row_split{.max_edges = 64, .order = row_order::windows, .pieces = piece_order::in_place});
  CHECK(!measures_both({.max_edges = 64, .order = row_order::degree}));
  CHECK(!measures_both({.max_edges = 64, .partitions = 4}));
  CHECK(!measures_both({.max_edges = 30000}));
  CHECK(!measures_both({.max_edges = 64}, {.groups = {.narrow = 1}}));
}

TEST_CASE("search_splits: the other number of threads, where rows are of a width that has two", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_split const& split) {
    return (split.max_edges == 128 ? 0.5 : 1.0) * (split.threads == group_threads::half ? 0.9 : 1.0);
  };
  auto const found = [&](int half_group, row_split own = {.max_edges = 64}) {
    return search(own, degrees, ms, {.num_neighbors = 7, .neighbor_bytes = 7 * 256, .groups = {.half = half_group}});
  };
  row_split const halved{.max_edges = 128, .threads = group_threads::half};
  CHECK(found(8).split == halved);
  CHECK(found(8).ms == 0.45);
  CHECK(found(8, halved).split == halved);
  CHECK(found(0).split == row_split{.max_edges = 128});
  CHECK(found(8).num_measured == found(0).num_measured + 1);
  CHECK(found(8).num_measured <= most_measured_splits);
}

TEST_CASE("search_splits: a queue of rows cut elsewhere, in other orders", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const found = search(dynamic_rows{.max_edges = 64}, degrees, [](dynamic_rows const& split) {
    return (split.max_edges == 128 ? 0.5 : 1.0) * (split.order == row_order::stored ? 0.9 : 1.0);
  });
  CHECK(found.split == dynamic_rows{.max_edges = 128, .order = row_order::stored});
}

TEST_CASE("search_splits: equal shares of other lengths, whole rows by degree", "[tuning]") {
  auto const degrees = degrees_of(1000, 3, 50000);  // 54 places per row
  std::vector<std::int64_t> lengths;
  auto const found = search(edge_split{.length = 256}, degrees, [&](edge_split const& split) {
    lengths.push_back(split.length);
    return split.length == 512 ? 1.0 : 2.0;
  });
  CHECK(found.split.length == 512);
  CHECK(lengths == std::vector<std::int64_t>{256, 64, 128, 512, 1024});
  auto const whole = search(row_per_group{}, degrees,
                            [](row_per_group const& split) { return split.order == row_order::degree ? 1.0 : 2.0; });
  CHECK(whole.split.order == row_order::degree);
  CHECK(whole.num_measured == 4);
}

TEST_CASE("search_splits: tiles taken or left, windows cut shorter or longer", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  tile_split const own{.max_tiles = 64};
  workload const tiled{.storage_of_tiles = tiled_storage::bits16};
  auto const rows_win = [](tile_split const& split) { return split.tiles == tile_use::left ? 1.0 : 2.0; };
  CHECK(search(own, degrees, rows_win, tiled).split.tiles == tile_use::left);
  CHECK(search(own, degrees, rows_win).split.tiles == tile_use::taken);  // a program that tiles do not take
  auto const longer = [](tile_split const& split) { return 10.0 / static_cast<double>(split.max_tiles); };
  CHECK(search(own, degrees, longer, tiled).split == tile_split{.max_tiles = 128});
  tile_split const left{.max_tiles = 64, .tiles = tile_use::left};
  auto const left_loses = [&](tile_split const& split) { return split == left ? 2.0 : 1.0; };
  CHECK(search(left, degrees, left_loses, tiled).split != left);
}
