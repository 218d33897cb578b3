// From rows to window-sorted blocks on the device, the same bytes as format/to_wsb.hpp. Behind its own include because
// of CUB's sort and scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/counted_marks.cuh>
#include <edgewise/format/to_wsb.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Sets `found` where a row is not sorted by neighbor.
template <class Index, class Offset>
__global__ void find_unsorted_rows(grouping_view<Index, Offset> const rows, Index const* row_of, int* found) {
  for (auto k = convert_first(); k < rows.num_edges; k += convert_stride()) {
    if (k > 0 && row_of[k - 1] == row_of[k] && rows.neighbors[k - 1] > rows.neighbors[k]) *found = 1;
  }
}

/// Which of the edges between its row and its neighbor an edge of sorted rows is.
template <class Index, class Offset>
EDGEWISE_DEVICE std::int64_t copy_number(grouping_view<Index, Offset> const& rows, Index row, std::int64_t position) {
  std::int64_t const begin = rows.offsets[row];
  return position - begin - count_less(rows.neighbors + begin, position - begin, rows.neighbors[position]);
}

/// What edges are sorted by first, and the greatest of it.
template <class Index, class Offset>
__global__ void number_copies(grouping_view<Index, Offset> const rows, Index const* row_of, std::uint64_t* copies,
                              unsigned long long* most) {
  for (auto k = convert_first(); k < rows.num_edges; k += convert_stride()) {
    auto const copy = static_cast<unsigned long long>(copy_number(rows, row_of[k], k));
    copies[k] = copy;
    if (copy > 0) atomicMax(most, copy);
  }
}

/// What edges are sorted by: their window, and in it their neighbor. `positions` is the order so far.
template <class Index, class Offset>
__global__ void make_window_keys(grouping_view<Index, Offset> const rows, Index const* row_of, Offset const* positions,
                                 std::uint64_t* keys) {
  for (auto i = convert_first(); i < rows.num_edges; i += convert_stride()) {
    Offset const k = positions[i];
    keys[i] = static_cast<std::uint64_t>(row_of[k] / wsb_window_rows) * static_cast<std::uint64_t>(rows.num_neighbors) +
              static_cast<std::uint64_t>(rows.neighbors[k]);
  }
}

/// Edges by window, neighbor and copy: marks those that no edge before them is like, which begin a column.
template <class Index, class Offset>
__global__ void mark_columns(grouping_view<Index, Offset> const rows, Index const* row_of, std::uint64_t const* keys,
                             Offset const* positions, Offset* begins) {
  for (auto i = convert_first(); i < rows.num_edges; i += convert_stride()) {
    bool const is_like = i > 0 && keys[i] == keys[i - 1] &&
                         copy_number(rows, row_of[positions[i]], positions[i]) ==
                             copy_number(rows, row_of[positions[i - 1]], positions[i - 1]);
    begins[i] = !is_like;
  }
}

/// Edges of a window lie where its rows' do, also once they are sorted.
template <class Index, class Offset>
struct window_edges {
  std::int64_t begin;
  std::int64_t end;

  EDGEWISE_DEVICE window_edges(grouping_view<Index, Offset> const& rows, std::int64_t window) {
    std::int64_t const first = window * wsb_window_rows;
    std::int64_t const last = first + wsb_window_rows < rows.num_rows ? first + wsb_window_rows : rows.num_rows;
    begin = rows.offsets[first];
    end = rows.offsets[last];
  }
};

/// Tiles of a window, whose columns are those between the columns before its edges and before the next window's.
template <class Index, class Offset>
__global__ void count_window_tiles(grouping_view<Index, Offset> const rows, std::int64_t num_windows,
                                   Offset const* columns_before, double least_reuse, Offset* tiles) {
  for (auto w = convert_first(); w < num_windows; w += convert_stride()) {
    window_edges<Index, Offset> const edges(rows, w);
    std::int64_t const columns = columns_before[edges.end] - columns_before[edges.begin];
    bool const is_left = static_cast<double>(edges.end - edges.begin) < least_reuse * static_cast<double>(columns);
    tiles[w] = is_left ? Offset(0) : static_cast<Offset>((columns + wsb_tile_columns - 1) / wsb_tile_columns);
  }
}

/// Writes columns, sets bits, and fills what is left of a window's last tile. Bits are set in words of two masks.
template <class Index, class Offset>
__global__ void write_tiles(grouping_view<Index, Offset> const rows, Index const* row_of, Offset const* positions,
                            Offset const* columns_before, Offset const* window_tiles, Index* columns,
                            std::uint32_t* masks) {
  for (auto i = convert_first(); i < rows.num_edges; i += convert_stride()) {
    Offset const k = positions[i];
    Index const row = row_of[k];
    std::int64_t const window = row / wsb_window_rows;
    std::int64_t const tile = window_tiles[window];
    if (tile == window_tiles[window + 1]) continue;
    window_edges<Index, Offset> const edges(rows, window);
    std::int64_t const column = columns_before[i + 1] - 1 - columns_before[edges.begin];
    Index* const to = columns + tile * wsb_tile_columns;
    to[column] = rows.neighbors[k];  // the same from all edges of the column
    std::int64_t const mask = (tile + column / wsb_tile_columns) * wsb_window_rows + row % wsb_window_rows;
    atomicOr(masks + mask / 2, 1u << (column % wsb_tile_columns + mask % 2 * 16));
    if (i + 1 == edges.end) {
      for (auto c = column + 1; c % wsb_tile_columns != 0; ++c) to[c] = rows.neighbors[k];
    }
  }
}

/// Positions of edges sorted by keys that are written anew for every sort.
template <class Offset>
class sorted_positions {
public:
  sorted_positions(cuda const& exec, std::int64_t num_edges)
      : num_edges_(num_edges),
        keys_{device_buffer<std::uint64_t>(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream),
              device_buffer<std::uint64_t>(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream)},
        positions_{device_buffer<Offset>(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream),
                   device_buffer<Offset>(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream)} {
    launch_kernel("to_wsb: number_positions", number_positions<Offset>, convert_blocks(num_edges), convert_threads,
                  exec.stream, positions_[0].data(), num_edges);
  }
  std::uint64_t* keys_to_sort() { return keys_[0].data(); }
  std::uint64_t const* keys() const { return keys_[1].data(); }
  Offset const* data() const { return positions_[0].data(); }

  /// Stably, by keys below `bound`.
  void sort(cuda const& exec, std::uint64_t bound) {
    std::size_t bytes = 0;
    auto const run = [&](void* storage) {
      check_cuda(call_apart([&] {
                   return cub::DeviceRadixSort::SortPairs(
                       storage, bytes, static_cast<std::uint64_t const*>(keys_[0].data()), keys_[1].data(),
                       static_cast<Offset const*>(positions_[0].data()), positions_[1].data(), num_edges_, 0,
                       row_bits(static_cast<std::int64_t>(bound)), exec.stream);
                 }),
                 "to_wsb: DeviceRadixSort::SortPairs");
    };
    run(nullptr);
    device_buffer<std::byte> storage(bytes > 0 ? bytes : 1, memory_of(exec), exec.stream);
    run(storage.data());
    std::swap(positions_[0], positions_[1]);
  }

private:
  std::int64_t num_edges_;
  device_buffer<std::uint64_t> keys_[2];
  device_buffer<Offset> positions_[2];
};

template <class T>
T read_value(cuda const& exec, T const* from) {
  T value{};
  check_cuda(cudaMemcpyAsync(&value, from, sizeof(T), cudaMemcpyDeviceToHost, exec.stream), "to_wsb: read a value");
  check_cuda(cudaStreamSynchronize(exec.stream), "to_wsb: read a value");
  return value;
}

/// A copy of device rows, sorted by neighbor.
template <class Container, class View>
Container copy_with_sorted_rows(cuda const& exec, View const& rows) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  bool is_sorted = true;
  if (rows.num_edges > 0) {
    auto const row_of = make_passing([&] { return device_row_of(exec, rows); });
    auto found = make_passing([&] { return device_buffer<int>(1, memory_of(exec), exec.stream); });
    check_cuda(cudaMemsetAsync(found.data(), 0, sizeof(int), exec.stream), "to_wsb: clear a flag");
    launch_kernel("to_wsb: find_unsorted_rows", find_unsorted_rows<index_type, offset_type>,
                  convert_blocks(rows.num_edges), convert_threads, exec.stream,
                  static_cast<grouping_view<index_type, offset_type> const&>(rows), row_of.data(), found.data());
    is_sorted = read_value(exec, found.data()) == 0;
  }
  if (is_sorted) {
    return {counts_of(rows), device_copy(exec, rows.offsets, std::int64_t{rows.num_rows} + 1),
            device_copy(exec, rows.neighbors, rows.num_edges),
            device_copy(exec, rows.edge_ids, rows.edge_ids ? rows.num_edges : 0)};
  }
  // Grouped by neighbor and back: rows list their neighbors in ascending order then, equal ones as they were.
  constexpr bool by_destination = View::grouped_by == endpoint::destination;
  using other = std::conditional_t<by_destination, csc<index_type, offset_type, device_space>,
                                   csr<index_type, offset_type, device_space>>;
  auto const by_neighbor = make_passing([&] { return transpose_on_device<other>(exec, rows); });
  return transpose_on_device<Container>(exec, by_neighbor.view());
}

/// Columns and masks of rows that are sorted.
template <class Container>
wsb<Container> add_tiles(cuda const& exec, Container rows, wsb_options const& options) {
  using index_type = typename Container::index_type;
  using offset_type = typename Container::offset_type;
  wsb_view<typename Container::view_type> const view{rows.view()};
  grouping_view<index_type, offset_type> const& grouping = view;
  std::int64_t const num_edges = view.num_edges;
  std::int64_t const num_windows = view.num_windows();

  auto const row_of = make_passing([&] { return device_row_of(exec, rows.view()); });
  auto edges = make_passing([&] { return sorted_positions<offset_type>(exec, num_edges); });
  auto most_copies = make_passing([&] { return device_buffer<unsigned long long>(1, memory_of(exec), exec.stream); });
  auto columns_before = make_passing([&] { return counted_marks<offset_type>(exec, "to_wsb: columns", num_edges); });
  counted_marks<offset_type> window_tiles(exec, "to_wsb: tiles", num_windows);
  if (num_edges > 0) {
    check_cuda(cudaMemsetAsync(most_copies.data(), 0, sizeof(unsigned long long), exec.stream),
               "to_wsb: clear a count");
    launch_kernel("to_wsb: number_copies", number_copies<index_type, offset_type>, convert_blocks(num_edges),
                  convert_threads, exec.stream, grouping, row_of.data(), edges.keys_to_sort(), most_copies.data());
    auto const most = read_value(exec, most_copies.data());
    if (most > 0) edges.sort(exec, most + 1);
    launch_kernel("to_wsb: make_window_keys", make_window_keys<index_type, offset_type>, convert_blocks(num_edges),
                  convert_threads, exec.stream, grouping, row_of.data(), edges.data(), edges.keys_to_sort());
    edges.sort(exec, static_cast<std::uint64_t>(num_windows) * static_cast<std::uint64_t>(view.num_neighbors));
    launch_kernel("to_wsb: mark_columns", mark_columns<index_type, offset_type>, convert_blocks(num_edges),
                  convert_threads, exec.stream, grouping, row_of.data(), edges.keys(), edges.data(),
                  columns_before.data());
    columns_before.count(exec);
    launch_kernel("to_wsb: count_window_tiles", count_window_tiles<index_type, offset_type>,
                  convert_blocks(num_windows), convert_threads, exec.stream, grouping, num_windows,
                  columns_before.data(), options.least_reuse, window_tiles.data());
  }
  window_tiles.count(exec);
  std::size_t const slots = window_tiles.read_total(exec) * wsb_tile_columns;
  device_buffer<index_type> columns(slots, memory_of(exec), exec.stream);
  device_buffer<std::uint16_t> masks(slots, memory_of(exec), exec.stream);
  if (slots > 0) {
    check_cuda(cudaMemsetAsync(masks.data(), 0, masks.size_bytes(), exec.stream), "to_wsb: clear masks");
    launch_kernel("to_wsb: write_tiles", write_tiles<index_type, offset_type>, convert_blocks(num_edges),
                  convert_threads, exec.stream, grouping, row_of.data(), edges.data(), columns_before.data(),
                  window_tiles.data(), columns.data(), reinterpret_cast<std::uint32_t*>(masks.data()));
  }
  return {std::move(rows), std::move(window_tiles).take(), std::move(columns), std::move(masks)};
}

}  // namespace detail

/// The edges of device rows with their tiles: the bytes of the host's `to_wsb`. Waits for `exec.stream` three times, to
/// learn sizes. The result and temporary arrays (two keys, three offsets and an index per edge, and what sort and scan
/// ask for) come from `exec.memory`. Rows are valid. Throws `invalid_argument` where they are not in the memory of the
/// current device, or windows times neighbors exceed 2^63; `cuda_error`.
template <grouped_view View>
auto to_wsb(cuda const& exec, View const& rows, wsb_options const& options = {}) {
  using index_type = typename View::index_type;
  using offset_type = typename View::offset_type;
  using container =
      std::conditional_t<View::grouped_by == endpoint::destination, csr<index_type, offset_type, device_space>,
                         csc<index_type, offset_type, device_space>>;
  detail::refuse_capture(exec.stream, "to_wsb");
  detail::device_call const call(exec, "to_wsb");
  detail::check_device_edges(call, rows);
  std::int64_t const num_windows = std::int64_t{rows.num_rows} / wsb_window_rows + 1;
  if (rows.num_neighbors > 0 && num_windows > std::numeric_limits<std::int64_t>::max() / rows.num_neighbors) {
    throw invalid_argument(detail::text("to_wsb: ", num_windows, " windows of 16 rows times ", rows.num_neighbors,
                                        " neighbors exceed 2^63 - 1"));
  }
  if (rows.offsets == nullptr) return wsb<container>();  // a default-made view
  return detail::add_tiles(exec, detail::copy_with_sorted_rows<container>(exec, rows), options);
}

}  // namespace edgewise::inline v0
