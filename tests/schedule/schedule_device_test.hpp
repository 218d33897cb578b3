// Schedules that schedule_device_test.cu builds on the device, for schedule_device_test.cpp to judge.
#pragma once

#include <string>
#include <vector>

#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/cut_rows.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The rows of the csr in an order.
std::vector<int> order_on_device(test_graph const& graph, row_order order);

/// The pieces of rows of more than `longest` edges, sized for one graph or for a capacity, and the room there was.
struct device_pieces {
  std::vector<edgewise::detail::row_piece<int, int>> pieces;
  int capacity = 0;
};
/// `larger`: sized for a capacity of more rows and edges than the graph has.
enum class piece_counts { exact, told, capacity, larger };
device_pieces cut_on_device(test_graph const& graph, int longest, piece_counts counts);

/// What starts when where pieces are in the place of their rows: rows, and pieces behind `num_destinations`.
struct device_tasks {
  std::vector<unsigned> tasks;
  std::vector<edgewise::detail::row_piece<int, int>> pieces;
  std::string text;
};
device_tasks list_tasks_on_device(test_graph const& graph, row_split split, piece_counts counts);

/// Rows cut at the borders of partitions: what each launch takes, and the slots that they share.
struct device_parts {
  std::vector<std::vector<edgewise::detail::row_piece<int, int>>> launches;
  int bound = 0;  ///< longer rows are cut
  int num_slots = 0;
  std::string text;
};
device_parts partition_on_device(test_graph const& graph, row_split split, int most_slots);
/// What a plan for a capacity says to partitions.
std::string partition_for_capacity();

/// The first row of every share.
std::vector<int> first_rows_on_device(test_graph const& graph, int length);

}  // namespace edgewise::testing
