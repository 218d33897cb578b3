#include <edgewise/mapping/feature_adaptive_group.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "check_mapping.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("feature_adaptive_group: takes every edge once", "[mapping]") {
  check_every_edge_once<exact_sum>(run_on_host<exact_sum, float>);  // automatic is the same mapping
  check_every_edge_once<mapped<exact_sum, rows_by_degree>>(run_on_host<mapped<exact_sum, rows_by_degree>, float>);
  check_every_edge_once<mapped<exact_sum, rows_in_windows>>(run_on_host<mapped<exact_sum, rows_in_windows>, float>);
}

TEST_CASE("feature_adaptive_group: the order of rows changes no bit", "[mapping]") {
  check_same_bits<gatv2>(run_on_host<gatv2, float>, run_on_host<mapped<gatv2, rows_by_degree>, float>);
  check_same_bits<gatv2>(run_on_host<gatv2, float>, run_on_host<mapped<gatv2, rows_in_windows>, float>);
}

TEST_CASE("row_order: every row once, rows of most edges first, equal ones as stored", "[mapping]") {
  auto graphs = mapping_graphs();
  graphs.push_back(random_skewed(5000, 40000));  // three windows
  for (auto const& graph : graphs) {
    for (auto const& [order, window] : {std::pair(row_order::degree, graph.num_destinations),
                                        {row_order::windows, 2048},
                                        {row_order::short_windows, 256}}) {
      INFO(graph.name << ", order " << static_cast<int>(order));
      grouping_view<int, int> const grouping = graph.csr();
      edgewise::detail::host_schedule<row_split, int, int> const schedule(host_memory(), {.order = order}, grouping,
                                                                          edgewise::detail::sizing::exact);
      std::vector<int> rows;
      for (int task = 0; task < graph.num_destinations; ++task) {
        rows.push_back(schedule.row_at(task));
      }
      std::vector<int> expected(rows.size());
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(), [&, window = window](int a, int b) {
        if (a / window != b / window) return a / window < b / window;
        return graph.by_destination.degree(a) > graph.by_destination.degree(b);
      });
      CHECK(rows == expected);
    }
  }
}

TEST_CASE("most_pieces: bounds the pieces that cutting makes", "[mapping]") {
  for (auto const& graph : mapping_graphs()) {
    for (int const bound : {1, 2, 7, 64, 100}) {
      int pieces = 0;
      for (int row = 0; row < graph.num_destinations; ++row) {
        int const degree = graph.by_destination.degree(row);
        if (degree > bound) pieces += (degree + bound - 1) / bound;
      }
      CHECK(pieces <= edgewise::detail::most_pieces(graph.num_edges(), bound));
    }
  }
  // Slots are at most half the rows, whatever the degrees.
  for (std::int64_t const rows : {1, 1000, 170000}) {
    for (std::int64_t const degree : {0, 1, 13, 500, 100000}) {
      workload const work{rows, rows * degree};
      CHECK(edgewise::detail::most_pieces(work.num_edges, feature_adaptive_group{}.split(work).max_edges) <=
            (rows + 1) / 2);
      workload const more{rows, rows * degree + rows - 1};  // the mean degree is rounded down
      CHECK(edgewise::detail::most_pieces(more.num_edges, feature_adaptive_group{}.split(more).max_edges) <=
            (rows + 1) / 2);
    }
  }
}
