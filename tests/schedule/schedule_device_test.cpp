#include "schedule_device_test.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "support/catch.hpp"

#include <edgewise/schedule/edge_split.hpp>
#include <edgewise/schedule/host_schedule.hpp>

#include "mapping/mapped.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Graphs with rows of more edges than there are classes of degrees, too.
std::vector<test_graph> scheduled_graphs() {
  auto graphs = mapping_graphs();
  edge_list edges;
  for (int k = 0; k < 12000; ++k) edges.push_back({k % 7, k < 5000 ? 3 : k < 9500 ? 1 : k % 600});
  graphs.push_back(make_test_graph("two hubs", 600, 600, edges));
  return graphs;
}

}  // namespace

TEST_CASE("row_order::degree on a device: every row once, rows of most edges first", "[schedule][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : scheduled_graphs()) {
    INFO(graph.name);
    auto rows = order_on_device(graph, row_order::degree);
    REQUIRE(rows.size() == static_cast<std::size_t>(graph.num_destinations));
    for (std::size_t k = 1; k < rows.size(); ++k) {
      auto const degree = [&](int row) { return std::min(graph.by_destination.degree(row), 4095); };
      CHECK(degree(rows[k - 1]) >= degree(rows[k]));
    }
    std::sort(rows.begin(), rows.end());
    for (std::size_t k = 0; k < rows.size(); ++k) CHECK(rows[k] == static_cast<int>(k));
  }
}

TEST_CASE("rows in windows on a device: the order of the host", "[schedule][gpu]") {
  skip_without_cuda_device();
  auto graphs = scheduled_graphs();
  graphs.push_back(random_skewed(5000, 40000));
  graphs.push_back(random_skewed(window_rows, 9000));
  for (auto const& graph : graphs) {
    for (row_order const order : {row_order::windows, row_order::short_windows}) {
      INFO(graph.name << ", " << graph.num_destinations << " rows, order " << static_cast<int>(order));
      auto const rows = order_on_device(graph, order);
      grouping_view<int, int> const grouping = graph.csr();
      edgewise::detail::host_schedule<row_split, int, int> const schedule(host_memory(), {.order = order}, grouping,
                                                                          edgewise::detail::sizing::exact);
      REQUIRE(rows.size() == static_cast<std::size_t>(graph.num_destinations));
      for (int task = 0; task < graph.num_destinations; ++task) {
        CHECK(rows[static_cast<std::size_t>(task)] == schedule.row_at(task));
      }
    }
  }
}

TEST_CASE("cut rows on a device: pieces hold every edge of long rows once, in slots of their own", "[schedule][gpu]") {
  skip_without_cuda_device();
  auto graphs = scheduled_graphs();
  edge_list edges;  // more blocks of rows than one block numbers at once
  for (int k = 0; k < 140000; ++k) edges.push_back({k % 7, k / 2});
  graphs.push_back(make_test_graph("two edges a row", 70000, 70000, edges));
  for (auto const& graph : graphs) {
    for (int const asked : {1, 7, 64, 1000000}) {
      auto const longest = static_cast<int>(walk_length(asked));  // of a row of many edges
      for (piece_counts const counts : {piece_counts::exact, piece_counts::told, piece_counts::capacity}) {
        INFO(graph.name << ", longest " << longest << ", counts " << static_cast<int>(counts));
        auto const cut = cut_on_device(graph, asked, counts);
        if (counts == piece_counts::capacity) {
          CHECK(static_cast<int>(cut.pieces.size()) <= cut.capacity);
        } else {
          CHECK(static_cast<int>(cut.pieces.size()) == cut.capacity);
        }
        for (std::size_t k = 0; k < cut.pieces.size(); ++k) {  // numbered in the order of rows, whoever came first
          CHECK(cut.pieces[k].slot == static_cast<int>(k));
          if (k > 0) CHECK(cut.pieces[k].row >= cut.pieces[k - 1].row);
        }
        std::map<int, std::vector<edgewise::detail::row_piece<int, int>>> rows;
        std::set<int> slots;
        for (auto const& piece : cut.pieces) {
          rows[piece.row].push_back(piece);
          CHECK(slots.insert(piece.slot).second);
          CHECK((piece.slot >= 0 && piece.slot < cut.capacity));
        }
        int num_long = 0;
        for (int row = 0; row < graph.num_destinations; ++row) {
          if (graph.by_destination.degree(row) <= longest) continue;
          ++num_long;
          REQUIRE(rows.count(row) == 1);
          auto& pieces = rows[row];
          std::sort(pieces.begin(), pieces.end(), [](auto const& a, auto const& b) { return a.slot < b.slot; });
          int next = graph.by_destination.offsets[row];
          for (auto const& piece : pieces) {
            CHECK(piece.begin == next);
            CHECK(piece.end - piece.begin <= longest);
            CHECK(piece.first_slot == pieces.front().slot);
            CHECK(piece.num_slots == static_cast<int>(pieces.size()));
            next = piece.end;
          }
          CHECK(next == graph.by_destination.offsets[row + 1]);
        }
        CHECK(static_cast<int>(rows.size()) == num_long);
      }
    }
  }
}

TEST_CASE("pieces in place on a device: hubs first, then rows in their order, with the pieces of each",
          "[schedule][gpu]") {
  skip_without_cuda_device();
  auto graphs = scheduled_graphs();
  graphs.push_back(random_skewed(5000, 40000));
  edge_list edges;  // more blocks of rows than one block numbers at once
  for (int k = 0; k < 140000; ++k) edges.push_back({k % 7, k < 1000 ? 69999 : k / 2});
  graphs.push_back(make_test_graph("two edges a row", 70000, 70000, edges));
  for (auto const& graph : graphs) {
    for (row_order const order : {row_order::stored, row_order::windows, row_order::short_windows}) {
      for (int const longest : {1, 7, 64, 1000000}) {
        if (graph.num_destinations > 10000 && longest != 1) continue;
        for (piece_counts const counts :
             {piece_counts::exact, piece_counts::told, piece_counts::capacity, piece_counts::larger}) {
          INFO(graph.name << ", longest " << longest << ", counts " << static_cast<int>(counts));
          row_split const split{.max_edges = longest, .order = order, .pieces = piece_order::in_place};
          auto const listed = list_tasks_on_device(graph, split, counts);
          CHECK((listed.text.find("in the place of their rows") != std::string::npos) == !listed.tasks.empty());
          if (listed.tasks.empty()) {
            CHECK(listed.pieces.empty());
            continue;
          }
          std::vector<int> rows(static_cast<std::size_t>(graph.num_destinations));
          std::iota(rows.begin(), rows.end(), 0);
          if (has_windows(order)) rows = order_on_device(graph, order);
          std::vector<std::vector<unsigned>> pieces_of(rows.size());
          for (std::size_t k = 0; k < listed.pieces.size(); ++k) {
            pieces_of[static_cast<std::size_t>(listed.pieces[k].row)].push_back(static_cast<unsigned>(rows.size() + k));
          }
          std::vector<unsigned> expected;
          auto const add = [&](int row, bool hubs) {
            auto const& pieces = pieces_of[static_cast<std::size_t>(row)];
            bool const is_hub = pieces.size() > 32;
            if (is_hub != hubs) return;
            if (pieces.empty()) expected.push_back(static_cast<unsigned>(row));
            expected.insert(expected.end(), pieces.begin(), pieces.end());
          };
          for (int const row : rows) add(row, true);
          for (int const row : rows) add(row, false);
          REQUIRE(expected.size() <= listed.tasks.size());
          expected.resize(listed.tasks.size(), edgewise::detail::no_task<int>);
          CHECK(listed.tasks == expected);
        }
      }
    }
  }
  CHECK(list_tasks_on_device(hub_alone(), {.max_edges = 7, .order = row_order::degree, .pieces = piece_order::in_place},
                             piece_counts::exact)
            .tasks.empty());
}

TEST_CASE("partitions on a device: pieces hold every edge of long rows once, a launch's slots are its own",
          "[schedule][gpu]") {
  skip_without_cuda_device();
  auto graphs = scheduled_graphs();
  graphs.push_back(ascending_rows());
  for (auto const& graph : graphs) {
    for (row_split const split : {row_split{.max_edges = 1000000, .partitions = 2},
                                  {.max_edges = 40, .order = row_order::windows, .partitions = 3},
                                  {.max_edges = 1, .order = row_order::degree, .partitions = 4},
                                  {.max_edges = 7, .partitions = 64}}) {
      INFO(graph.name << ", " << split.partitions << " partitions, longest " << split.max_edges);
      auto const partitions = static_cast<int>(split.partitions);
      auto const whole = static_cast<int>(least_partitioned_degree(split.partitions));
      auto const longest = static_cast<int>(walk_length(split.max_edges));
      auto const parts = partition_on_device(graph, split, graph.num_destinations);
      auto const& rows = graph.by_destination;
      auto const& neighbors = rows.neighbors;
      auto const is_partitioned = [&](int row) {
        auto const first = neighbors.begin() + rows.offsets[row];
        return rows.degree(row) > whole && std::is_sorted(first, first + rows.degree(row));
      };
      int num_long = 0;
      int num_partitioned = 0;
      for (int row = 0; row < graph.num_destinations; ++row) {
        num_long += rows.degree(row) > whole;
        num_partitioned += is_partitioned(row);
      }
      // Where most long rows do not ascend, they are cut by length.
      bool const has_partitions = num_partitioned > 0 && 2 * num_partitioned >= num_long;
      CHECK((parts.text.find("partitions") != std::string::npos) == has_partitions);
      CHECK(parts.bound == std::min({longest, has_partitions ? whole : longest, graph.num_edges()}));
      auto const partition_of = [&](int source) {
        return static_cast<int>(std::int64_t{source} * partitions / graph.num_sources);
      };
      std::map<int, std::vector<edgewise::detail::row_piece<int, int>>> pieces_of;
      int most_slots = 0;
      for (auto const& launch : parts.launches) {
        std::set<int> slots;
        std::set<int> rows_here;
        int earlier = 0;
        int earlier_degree = graph.num_edges();
        for (auto const& piece : launch) {
          CHECK(slots.insert(piece.slot).second);
          CHECK(pieces_of.count(piece.row) == rows_here.count(piece.row));  // no launch before had the row
          rows_here.insert(piece.row);
          pieces_of[piece.row].push_back(piece);
          auto const partition_at = [&](int position) {
            bool const is_known = has_partitions && is_partitioned(piece.row);
            return is_known ? partition_of(neighbors[static_cast<std::size_t>(position)]) : 0;
          };
          int const partition = partition_at(piece.begin);
          CHECK(partition_at(piece.end - 1) == partition);
          CHECK(partition >= earlier);
          // Rows of most edges first, in each partition; these graphs are of one window.
          int const degree = rows.degree(piece.row);
          bool const is_ordered = has_partitions && split.order != row_order::stored && partition == earlier;
          if (is_ordered) CHECK(degree <= earlier_degree);
          earlier = partition;
          earlier_degree = degree;
        }
        CHECK((slots.empty() || (*slots.begin() == 0 && *slots.rbegin() + 1 == static_cast<int>(slots.size()))));
        most_slots = std::max(most_slots, static_cast<int>(slots.size()));
      }
      CHECK(parts.num_slots == most_slots);
      for (int row = 0; row < graph.num_destinations; ++row) {
        bool const is_cut = rows.degree(row) > parts.bound;
        REQUIRE(pieces_of.count(row) == (is_cut ? 1 : 0));
        if (!is_cut) continue;
        auto& pieces = pieces_of[row];
        std::sort(pieces.begin(), pieces.end(), [](auto const& a, auto const& b) { return a.slot < b.slot; });
        int next = rows.offsets[row];
        for (std::size_t k = 0; k < pieces.size(); ++k) {
          CHECK(pieces[k].begin == next);
          CHECK(pieces[k].end > pieces[k].begin);
          CHECK(pieces[k].end - pieces[k].begin <= longest);
          CHECK(pieces[k].slot == pieces[k].first_slot + static_cast<int>(k));
          CHECK(pieces[k].num_slots == static_cast<int>(pieces.size()));
          next = pieces[k].end;
        }
        CHECK(next == rows.offsets[row + 1]);
      }
    }
  }
  // 257 rows and more of slots: one launch does not take them all.
  auto const parts =
      partition_on_device(ascending_rows(), {.max_edges = 1000000, .order = row_order::windows, .partitions = 3}, 700);
  CHECK(parts.launches.size() >= 2);
  CHECK(parts.num_slots <= 700);
  CHECK(parts.text.find(" pieces of rows cut at the borders of partitions") != std::string::npos);
  CHECK(partition_for_capacity() ==
        "plan_for_capacity: 4 partitions are cut in the rows of a graph, and there is none yet; take one");
}

TEST_CASE("edge shares on a device: begin where they do on the host", "[schedule][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : scheduled_graphs()) {
    for (int const length : {1, 64, 4096}) {
      INFO(graph.name << ", length " << length);
      auto const rows = first_rows_on_device(graph, length);
      auto const& offsets = graph.by_destination.offsets;
      for (std::size_t share = 0; share < rows.size(); ++share) {
        CHECK(rows[share] == edgewise::detail::find_row_at(offsets.data(), graph.num_destinations,
                                                           static_cast<std::int64_t>(share) * length));
      }
      CHECK(static_cast<std::int64_t>(rows.size()) * length >= graph.num_edges() + graph.num_destinations);
    }
  }
}
