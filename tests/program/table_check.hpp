// Judges all cells of the table for one gather.
#pragma once

#include <edgewise/explain/explain.hpp>

#include "plan/check_case.hpp"
#include "table_cases.hpp"

namespace edgewise::testing {

/// The small graphs of the battery, and a hub whose row devices cut into pieces (mapping/automatic.hpp), as destination
/// and as source.
inline std::vector<test_graph> table_graphs() {
  auto graphs = small_battery();
  graphs.push_back(one_hub(200, 40));
  graphs.push_back(reversed(graphs.back(), "one hub, reversed"));
  return graphs;
}

/// run(type_tag<Cell>, position, request) runs the cell at a position of the table. In double, so that both sides
/// decide ties and kinks alike.
template <class Gather, class Run>
void check_table(Run const& run) {
  random_stream random("the table");
  auto const graphs = table_graphs();
  int position = 0;
  table::for_each_cell<Gather>([&]<class Cell>(type_tag<Cell> cell) {
    INFO(edgewise::detail::expression_text(Cell::message));
    for (auto const& graph : graphs) {
      if (!fits<Cell>(graph)) continue;
      check_request<Cell, double>([&](auto const& request) { return run(cell, position, request); },
                                  draw_request<Cell, double>(graph, {2, 12}, random));
    }
    ++position;
  });
}

}  // namespace edgewise::testing
