#include "schedule_device_test.hpp"

#include <stdexcept>

#include <edgewise/schedule/device_schedule.cuh>
#include <edgewise/schedule/read_degrees.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"
#include "support/graphs.hpp"

namespace edgewise::testing {
namespace {

template <class T>
std::vector<T> read(T const* data, std::size_t size) {
  std::vector<T> values(size);
  check_cuda(cudaDeviceSynchronize(), "schedule: build");
  if (size > 0) check_cuda(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost), "schedule: read");
  return values;
}

}  // namespace

std::vector<int> order_on_device(test_graph const& graph, row_order order) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  edgewise::detail::device_schedule<row_per_group, int, int> const schedule(
      stream.get(), device_memory(), {.order = order}, arrays.csr(), edgewise::detail::sizing::exact);
  return read(schedule.view().order, static_cast<std::size_t>(graph.num_destinations));
}

namespace {

/// A schedule of pieces, sized as `counts` says.
edgewise::detail::device_schedule<row_split, int, int> schedule_pieces(device_stream const& stream,
                                                                       device_graph<> const& arrays, row_split split,
                                                                       piece_counts counts) {
  bool const for_capacity = counts == piece_counts::capacity || counts == piece_counts::larger;
  std::int64_t pieces = edgewise::detail::unknown_pieces;
  if (counts == piece_counts::told) {
    auto const degrees = edgewise::detail::read_degrees<int, int>(stream.get(), device_memory(), arrays.csr(),
                                                                  edgewise::detail::workload_of(arrays.csr()));
    if (degrees.is_exact()) pieces = degrees.num_pieces(walk_length(split.max_edges));
  }
  auto const size = for_capacity ? edgewise::detail::sizing::capacity : edgewise::detail::sizing::exact;
  grouping_view<int, int> planned = arrays.csr();  // whose arrays a plan for a capacity does not read
  if (counts == piece_counts::larger) {
    planned.num_rows += 3000;
    planned.num_edges += 40000;
  }
  edgewise::detail::device_schedule<row_split, int, int> schedule(stream.get(), device_memory(), split, planned, size,
                                                                  0, pieces);
  if (for_capacity) schedule.rebuild(stream.get(), arrays.csr());
  return schedule;
}

}  // namespace

device_pieces cut_on_device(test_graph const& graph, int longest, piece_counts counts) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  auto const schedule = schedule_pieces(stream, arrays, {.max_edges = longest}, counts);
  auto const view = schedule.view();
  auto const count = static_cast<std::size_t>(read(view.num_pieces, 1).front());
  return {read(view.pieces, count), view.capacity};
}

device_tasks list_tasks_on_device(test_graph const& graph, row_split split, piece_counts counts) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  auto const schedule = schedule_pieces(stream, arrays, split, counts);
  auto const view = schedule.view();
  std::size_t const size =
      view.tasks ? static_cast<std::size_t>(view.capacity) + static_cast<std::size_t>(graph.num_destinations) : 0;
  auto const count = static_cast<std::size_t>(read(view.num_pieces, 1).front());
  return {read(view.tasks, size), read(view.pieces, count), schedule.text()};
}

device_parts partition_on_device(test_graph const& graph, row_split split, int most_slots) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  edgewise::detail::device_schedule<row_split, int, int> const schedule(
      stream.get(), device_memory(), split, arrays.csr(), edgewise::detail::sizing::exact, most_slots);
  device_parts parts;
  parts.bound = schedule.view().bound;
  parts.num_slots = static_cast<int>(schedule.num_slots);
  parts.text = schedule.text();
  for (int k = 0; k < schedule.num_parts(); ++k) {
    auto const view = schedule.view(k);
    auto const count = read(view.num_pieces, 1).front();
    if (count != view.capacity) throw std::runtime_error("schedule: a part's count is not its capacity");
    parts.launches.push_back(read(view.pieces, static_cast<std::size_t>(count)));
  }
  return parts;
}

std::string partition_for_capacity() {
  device_stream const stream;
  device_graph<> const arrays(chain());
  try {
    edgewise::detail::device_schedule<row_split, int, int> const schedule(
        stream.get(), device_memory(), {.partitions = 4}, arrays.csr(), edgewise::detail::sizing::capacity, 1000);
  } catch (invalid_argument const& refusal) {
    return refusal.what();
  }
  return "";
}

std::vector<int> first_rows_on_device(test_graph const& graph, int length) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  edgewise::detail::device_schedule<edge_split, int, int> const schedule(
      stream.get(), device_memory(), {.length = length}, arrays.csr(), edgewise::detail::sizing::exact);
  return read(schedule.view().first_rows, static_cast<std::size_t>(schedule.view().num_shares));
}

}  // namespace edgewise::testing
