// Equal shares: every edge and every row once, slots that no two rows share, memory O(rows).
#include <edgewise/schedule/edge_split.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/schedule/host_schedule.hpp>

#include "mapping/mapped.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

using schedule_type = edgewise::detail::host_schedule<edge_split, int, int>;

grouping_view<int, int> grouping_of(test_graph const& graph) { return graph.csr(); }

}  // namespace

TEST_CASE("edge shares: take every edge once and finish every row once", "[mapping]") {
  for (auto const& graph : mapping_graphs()) {
    for (int const length : {1, 2, 16, 64, 100, 4096}) {
      INFO(graph.name << ", length " << length);
      auto const grouping = grouping_of(graph);
      schedule_type const schedule(host_memory(), {.length = length}, grouping, edgewise::detail::sizing::exact);
      int const rounded = length == 100 ? 128 : length;
      int next_edge = 0;
      int next_row = 0;
      std::set<int> slots;
      for (std::int64_t share = 0; share < schedule.num_shares(); ++share) {
        int places = 0;
        schedule.for_each_piece<true>(
            grouping, edgewise::detail::task_part::everything, share, true, [&](auto const& piece) {
              CHECK(piece.begin == next_edge);  // shares, and rows in them, lie one after another
              CHECK(piece.end >= piece.begin);
              next_edge = piece.end;
              places += std::max(1, piece.end - piece.begin);
              int const begin = grouping.offsets[piece.row];
              int const end = grouping.offsets[piece.row + 1];
              if (piece.num_slots > 1) {
                CHECK(slots.insert(piece.slot).second);
                CHECK(piece.slot >= piece.first_slot);
                CHECK(piece.slot < piece.first_slot + piece.num_slots);
                CHECK(static_cast<std::size_t>(piece.slot) < schedule.num_slots);
                CHECK((piece.slot == piece.first_slot) == (piece.begin == begin));
                CHECK((piece.slot == piece.first_slot + piece.num_slots - 1) == (piece.end == end));
              } else {
                CHECK((piece.begin == begin && piece.end == end));
              }
              if (piece.end == end) CHECK(piece.row == next_row++);
            });
        CHECK(places <= rounded);
      }
      CHECK(next_edge == graph.num_edges());
      CHECK(next_row == graph.num_destinations);
    }
  }
}

TEST_CASE("edge shares: every cut row is folded by one share, from all of its slots", "[mapping]") {
  for (auto const& graph : mapping_graphs()) {
    for (int const length : {1, 16, 64}) {
      INFO(graph.name << ", length " << length);
      auto const grouping = grouping_of(graph);
      schedule_type const schedule(host_memory(), {.length = length}, grouping, edgewise::detail::sizing::exact);
      std::map<int, int> pieces;  // of cut rows
      for (std::int64_t share = 0; share < schedule.num_shares(); ++share) {
        schedule.for_each_piece<true>(grouping, edgewise::detail::task_part::everything, share, true,
                                      [&](auto const& piece) {
                                        if (piece.num_slots > 1) ++pieces[piece.row];
                                      });
      }
      for (std::int64_t share = 0; share < schedule.num_shares(); ++share) {
        int folded = 0;
        schedule.for_each_piece<true>(grouping, edgewise::detail::task_part::folds, share, true,
                                      [&](auto const& piece) {
                                        CHECK((piece.folds && ++folded == 1));
                                        CHECK(pieces[piece.row] == piece.num_slots);
                                        CHECK(piece.begin == grouping.offsets[piece.row]);
                                        CHECK(piece.end == grouping.offsets[piece.row + 1]);
                                        pieces.erase(piece.row);
                                      });
      }
      CHECK(pieces.empty());
    }
  }
}

TEST_CASE("edge shares: offsets beyond 32 bits", "[mapping]") {
  std::int64_t const huge = std::int64_t{3} << 32;
  std::vector<long long> const offsets{0, huge, huge, huge + 5};
  std::int64_t const share = (huge + 1) / 64;
  auto const cut = edgewise::detail::take_from_share<int, long long>(0, 0, huge, huge / 64 - 1, 6);
  CHECK(cut.end == huge);
  CHECK(cut.num_slots == huge / 64);
  CHECK(cut.slot == huge / 64 - 1);
  CHECK(edgewise::detail::find_row_at(offsets.data(), 3, share * 64) == 1);
  CHECK(edgewise::detail::take_from_share<int, long long>(2, huge, huge + 5, share, 6).begin == huge);
}

TEST_CASE("edge_balanced: slots are at most half the rows, whatever the degrees", "[mapping]") {
  for (std::int64_t const rows : {1, 1000, 170000, 2500000}) {
    for (std::int64_t const degree : {0, 1, 2, 13, 50, 500, 100000}) {
      workload const work{rows, rows * degree};
      std::int64_t const shares =
          edgewise::detail::count_shares(work, edgewise::detail::share_shift(edge_balanced{}.split(work)));
      CHECK(2 * shares <= rows / 2 + 2);
    }
  }
  CHECK(edgewise::detail::count_shares({0, 0}, edgewise::detail::share_shift(edge_balanced{}.split({0, 0}))) == 0);
}
