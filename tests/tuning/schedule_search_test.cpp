#include <edgewise/tuning/schedule_search.hpp>

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

template <class Deal>
struct searched {
  Deal deal;
  double ms = 0, own_ms = 0;
  int num_measured = 0;
};
template <class Deal, class Measure>
searched<Deal> search(Deal own, degree_histogram const& degrees, Measure const& measure, workload work = {}) {
  searched<Deal> found;
  found.deal = search_deals(own, degrees, work, measure, found.ms, found.own_ms, found.num_measured);
  return found;
}

}  // namespace

TEST_CASE("search_deals: finds the fastest length and then the order", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_pieces const& deal) {
    return 1 + std::abs(std::log2(static_cast<double>(deal.longest)) - 9) - (deal.order == row_order::degree ? 0.5 : 0);
  };
  auto const found = search(row_pieces{.longest = 64}, degrees, ms);
  CHECK(found.deal == row_pieces{512, row_order::degree});
  CHECK(found.ms == ms(found.deal));
  CHECK(found.own_ms == ms({64}));
  CHECK(found.num_measured <= most_measured_deals);
}

TEST_CASE("search_deals: what saves less than noise is not chosen", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  row_pieces const own{.longest = 64};
  CHECK(search(own, degrees, [&](row_pieces const& deal) { return deal == own ? 1.0 : 0.985; }).deal == own);
  CHECK(search(own, degrees, [&](row_pieces const& deal) { return deal == own ? 1.0 : 0.975; }).deal != own);
  double const never = std::numeric_limits<double>::infinity();  // no memory
  auto const nothing = search(own, degrees, [&](row_pieces const&) { return never; });
  CHECK(nothing.deal == own);
  CHECK(nothing.ms == never);
}

TEST_CASE("search_deals: no deal twice, none that needs more than two slots a row", "[tuning]") {
  for (std::int64_t const degree : {0, 1, 20, 100, 500, 3000}) {
    for (std::int64_t const hub : {degree, 2 * degree + 40, std::int64_t{100000}}) {
      INFO("degree " << degree << ", hub " << hub);
      auto const degrees = degrees_of(1000, degree, hub);
      row_pieces const own{.longest = balanced_length(degrees.work())};
      std::vector<row_pieces> measured;
      search(own, degrees, [&](row_pieces const& deal) {
        for (row_pieces const& earlier : measured) {
          CHECK(earlier != deal);
          bool const cuts_nothing = earlier.longest >= hub && deal.longest >= hub;
          CHECK((!cuts_nothing || earlier.order != deal.order || earlier.block != deal.block));
          CHECK((!cuts_nothing || earlier.pieces == deal.pieces));
        }
        if (deal.longest < hub) CHECK(deal.longest > degrees.work().mean_degree());
        measured.push_back(deal);
        return 1.0;
      });
      CHECK(measured.front() == own);
      CHECK(static_cast<int>(measured.size()) <= most_measured_deals);
      if (hub == degree) CHECK(measured.size() == 7);  // nothing to cut: only the orders and the blocks
    }
  }
}

TEST_CASE("search_deals: partitions where features are larger than the cache", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  auto const partitions_of = [&](row_pieces own, std::int64_t neighbor_bytes) {
    std::vector<std::int64_t> partitions;
    search(own, degrees,
           [&](row_pieces const& deal) {
             if (deal.partitions != own.partitions) partitions.push_back(deal.partitions);
             return 1.0;
           },
           {.neighbor_bytes = neighbor_bytes, .cache_bytes = 50});
    return partitions;
  };
  row_pieces const own{.longest = 2000};
  CHECK(partitions_of(own, 50).empty());
  CHECK(partitions_of(own, 200) == std::vector<std::int64_t>{4, 8, 16});
  CHECK(partitions_of(own, 60) == std::vector<std::int64_t>{3, 6});     // half of 3 is none
  CHECK(partitions_of(own, 50000) == std::vector<std::int64_t>{1000});  // rows are too short for more
  CHECK(partitions_of({.longest = 2000, .partitions = 8}, 200) == std::vector<std::int64_t>{1, 4, 16});
  auto const found = search(own, degrees, [](row_pieces const& deal) { return deal.partitions == 8 ? 0.5 : 1.0; },
                            {.neighbor_bytes = 200, .cache_bytes = 50});
  CHECK(found.deal == row_pieces{2000, row_order::stored, 8});
  CHECK(found.num_measured <= most_measured_deals);

  std::vector<std::int64_t> by_ids;  // features fit, what edges read by id does not
  search(own, degrees,
         [&](row_pieces const& deal) {
           if (deal.partitions != 1) by_ids.push_back(deal.partitions);
           return 1.0;
         },
         {.neighbor_bytes = 40, .cache_bytes = 50, .edge_bytes = 400});
  CHECK(by_ids == std::vector<std::int64_t>{2, 5, 10});
}

TEST_CASE("search_deals: other tiles where features are larger than the cache", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  constexpr std::int64_t all = row_pieces{}.tile;
  auto const tiles_of = [&](row_pieces own, std::int64_t tile_elements, std::int64_t neighbor_bytes = 60) {
    std::vector<std::int64_t> tiles;
    search(own, degrees,
           [&](row_pieces const& deal) {
             if (deal.tile != own.tile) tiles.push_back(deal.tile);
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
  CHECK(tiles_of({}, 256, 50).empty());
}

TEST_CASE("search_deals: other contractions where inner products add up", "[tuning]") {
  auto const degrees = degrees_of(100000, 400, 30000);
  constexpr std::int64_t all = row_pieces{}.contraction;
  workload const work{.neighbor_bytes = 60, .cache_bytes = 50, .tile_elements = 256, .contraction_elements = 1000};
  auto const contractions_of = [&](row_pieces own, workload of) {
    std::vector<std::int64_t> contractions;
    auto const found = search(
        own, degrees,
        [&](row_pieces const& deal) {
          if (deal.contraction != own.contraction) contractions.push_back(deal.contraction);
          return 1.0;
        },
        of);
    CHECK(found.num_measured <= most_measured_deals);
    return contractions;
  };
  auto const with = [&](std::int64_t elements, std::int64_t neighbor_bytes = 60) {
    workload other = work;
    other.contraction_elements = elements;
    other.neighbor_bytes = neighbor_bytes;
    return other;
  };
  CHECK(contractions_of({}, work) == std::vector<std::int64_t>{64, 128});
  CHECK(contractions_of({.contraction = 64}, work) == std::vector<std::int64_t>{128, all});
  CHECK(contractions_of({.contraction = 64}, with(128)) == std::vector<std::int64_t>{all});
  CHECK(contractions_of({}, with(64)).empty());
  CHECK(contractions_of({}, with(0)).empty());
  CHECK(contractions_of({}, with(1000, 50)).empty());
  auto const shorter = [](row_pieces const& deal) { return deal.contraction == 128 ? 0.5 : 1.0; };
  CHECK(search(row_pieces{}, degrees, shorter, work).deal == row_pieces{.contraction = 128});
}

TEST_CASE("search_deals: the block that is fastest with what was found before", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_pieces const& deal) {
    return (deal.order == row_order::windows ? 0.5 : 1.0) * (deal.block == block_size::threads_128 ? 0.9 : 1.0);
  };
  auto const found = search(row_pieces{.longest = 64}, degrees, ms);
  CHECK(found.deal == row_pieces{.longest = 64,
                                 .order = row_order::windows,
                                 .block = block_size::threads_128,
                                 .pieces = piece_order::in_place});
  CHECK(found.ms == 0.45);
  auto const of_width = [&](std::int64_t row_bytes) {
    return search(row_pieces{.longest = 64}, degrees, ms, {.num_neighbors = 7, .neighbor_bytes = 7 * row_bytes});
  };
  CHECK(of_width(516).deal.block == block_size::threads_128);
  CHECK(of_width(512).deal.block == block_size::chosen);
}

TEST_CASE("search_deals: the other turn of pieces, where there are some and it makes a difference", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_pieces const& deal) {
    return (deal.order == row_order::short_windows ? 0.5 : 1.0) * (deal.pieces == piece_order::in_place ? 0.9 : 1.0);
  };
  auto const found = search(row_pieces{.longest = 64}, degrees, ms);
  row_pieces const in_place{.longest = 64, .order = row_order::short_windows, .pieces = piece_order::in_place};
  CHECK(found.deal == in_place);
  CHECK(found.num_measured <= most_measured_deals);
  CHECK(search(in_place, degrees, ms).deal == in_place);
  auto const measures_both = [&](row_pieces own, workload of = {}) {
    bool both = false;
    search(
        own, degrees,
        [&](row_pieces const& deal) {
          both = both || (deal.pieces != own.pieces && deal.order == own.order);
          return deal.order == own.order && deal.longest == own.longest ? 1.0 : 2.0;
        },
        of);
    return both;
  };
  CHECK(measures_both({.longest = 64}));
  // Windows that win with pieces in place alone.
  auto const together = [](row_pieces const& deal) {
    return has_windows(deal.order) && deal.pieces == piece_order::in_place ? 0.9 : 1.0;
  };
  CHECK(search(row_pieces{.longest = 64, .order = row_order::degree}, degrees, together).deal ==
        row_pieces{.longest = 64, .order = row_order::windows, .pieces = piece_order::in_place});
  CHECK(!measures_both({.longest = 64, .order = row_order::degree}));
  CHECK(!measures_both({.longest = 64, .partitions = 4}));
  CHECK(!measures_both({.longest = 30000}));
  CHECK(!measures_both({.longest = 64}, {.groups = {.narrow = 1}}));
}

TEST_CASE("search_deals: the other number of threads, where rows are of a width that has two", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const ms = [](row_pieces const& deal) {
    return (deal.longest == 128 ? 0.5 : 1.0) * (deal.threads == group_threads::half ? 0.9 : 1.0);
  };
  auto const found = [&](int half_group, row_pieces own = {.longest = 64}) {
    return search(own, degrees, ms, {.num_neighbors = 7, .neighbor_bytes = 7 * 256, .groups = {.half = half_group}});
  };
  row_pieces const halved{.longest = 128, .threads = group_threads::half};
  CHECK(found(8).deal == halved);
  CHECK(found(8).ms == 0.45);
  CHECK(found(8, halved).deal == halved);
  CHECK(found(0).deal == row_pieces{.longest = 128});
  CHECK(found(8).num_measured == found(0).num_measured + 1);
  CHECK(found(8).num_measured <= most_measured_deals);
}

TEST_CASE("search_deals: a queue of rows cut elsewhere, in other orders", "[tuning]") {
  auto const degrees = degrees_of(100000, 10, 30000);
  auto const found = search(queued_rows{.longest = 64}, degrees, [](queued_rows const& deal) {
    return (deal.longest == 128 ? 0.5 : 1.0) * (deal.order == row_order::stored ? 0.9 : 1.0);
  });
  CHECK(found.deal == queued_rows{.longest = 128, .order = row_order::stored});
}

TEST_CASE("search_deals: equal shares of other lengths, whole rows by degree", "[tuning]") {
  auto const degrees = degrees_of(1000, 3, 50000);  // 54 places per row
  std::vector<std::int64_t> lengths;
  auto const found = search(edge_shares{.length = 256}, degrees, [&](edge_shares const& deal) {
    lengths.push_back(deal.length);
    return deal.length == 512 ? 1.0 : 2.0;
  });
  CHECK(found.deal.length == 512);
  CHECK(lengths == std::vector<std::int64_t>{256, 64, 128, 512, 1024});
  auto const whole =
      search(whole_rows{}, degrees, [](whole_rows const& deal) { return deal.order == row_order::degree ? 1.0 : 2.0; });
  CHECK(whole.deal.order == row_order::degree);
  CHECK(whole.num_measured == 4);
}
