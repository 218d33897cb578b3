// Tasks of the CPU: every edge in one piece, every row finished once, long rows alone cut.
#include <edgewise/schedule/host_schedule.hpp>

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

#include "mapping/mapped.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

using edgewise::detail::task_part;
using schedule_type = edgewise::detail::host_schedule<row_split, int, int>;
constexpr auto longest = schedule_type::longest_whole_row;

std::vector<test_graph> graphs_with_long_rows() {
  auto graphs = mapping_graphs();
  edge_list edges;
  for (int k = 0; k < 40000; ++k) edges.push_back({k % 100, k < longest ? 0 : k < 2 * longest + 1 ? 1 : k % 300});
  graphs.push_back(make_test_graph("rows of 4096, 4097 and 100 edges", 100, 300, edges));
  return graphs;
}

/// What all tasks of a traversal do.
struct walked {
  std::vector<int> edges, finished, cut;  // by edge, and by row
};
walked walk(schedule_type const& schedule, grouping_view<int, int> const& grouping, bool in_order,
            std::vector<task_part> const& parts = {task_part::everything, task_part::folds}) {
  walked result{std::vector<int>(grouping.num_edges), std::vector<int>(grouping.num_rows),
                std::vector<int>(grouping.num_rows)};
  std::vector<char> filled(schedule.num_slots);
  for (task_part const part : parts) {
    bool const folds = part == task_part::folds;
    if (folds && !schedule.has_cut_rows()) continue;
    for (std::int64_t task = 0; task < schedule.num_tasks(grouping, true, in_order); ++task) {
      schedule.for_each_piece<true>(grouping, part, task, in_order, [&](auto const& piece) {
        if (piece.folds) {
          CHECK((folds && piece.num_slots > 1));
          for (int k = 0; k < piece.num_slots; ++k) CHECK(filled.at(piece.first_slot + k) == 1);
          CHECK(piece.end - piece.begin == grouping.offsets[piece.row + 1] - grouping.offsets[piece.row]);
        } else {
          CHECK(!folds);
          for (int k = piece.begin; k < piece.end; ++k) ++result.edges.at(k);
        }
        if (piece.is_cut()) {
          CHECK(filled.at(piece.slot) == 0);
          filled[piece.slot] = 1;
          ++result.cut[piece.row];
        } else {
          ++result.finished[piece.row];
        }
      });
    }
  }
  return result;
}

}  // namespace

TEST_CASE("host tasks: every edge once, every row finished once, rows of more than 4096 edges cut", "[schedule]") {
  for (auto const& graph : graphs_with_long_rows()) {
    grouping_view<int, int> const grouping = graph.csr();
    for (row_order const order : {row_order::stored, row_order::degree, row_order::short_windows}) {
      for (bool const in_order : {false, true}) {
        INFO(graph.name << ", order " << static_cast<int>(order) << ", taken: " << in_order);
        schedule_type const schedule(host_memory(), {.order = order}, grouping, edgewise::detail::sizing::exact);
        auto const result = walk(schedule, grouping, in_order);
        auto const apart =
            walk(schedule, grouping, in_order, {task_part::whole_rows, task_part::cut_rows, task_part::folds});
        CHECK((apart.edges == result.edges && apart.finished == result.finished && apart.cut == result.cut));
        CHECK(std::count(result.edges.begin(), result.edges.end(), 1) == grouping.num_edges);
        CHECK(std::count(result.finished.begin(), result.finished.end(), 1) == grouping.num_rows);
        for (int row = 0; row < grouping.num_rows; ++row) {
          bool const is_long = grouping.offsets[row + 1] - grouping.offsets[row] > longest;
          CHECK((result.cut[row] > 0) == is_long);
          CHECK(result.cut[row] != 1);
        }
      }
    }
  }
}

TEST_CASE("host tasks: a schedule for a capacity takes graphs with and without long rows", "[schedule]") {
  auto const graphs = graphs_with_long_rows();
  auto const largest = std::max_element(graphs.begin(), graphs.end(), [](auto const& a, auto const& b) {
    return a.num_edges() + a.num_destinations < b.num_edges() + b.num_destinations;
  });
  grouping_view<int, int> room = largest->csr();
  room.offsets = nullptr;
  for (auto const& graph : graphs) {
    if (graph.num_destinations > room.num_rows || graph.num_edges() > room.num_edges) continue;
    INFO(graph.name);
    schedule_type schedule(host_memory(), {}, room, edgewise::detail::sizing::capacity);
    grouping_view<int, int> const grouping = graph.csr();
    schedule.rebuild(grouping);
    auto const result = walk(schedule, grouping, true);
    CHECK(std::count(result.edges.begin(), result.edges.end(), 1) == grouping.num_edges);
    CHECK(std::count(result.finished.begin(), result.finished.end(), 1) == grouping.num_rows);
  }
}
