// Conversions between device formats, the same results as format/convert.hpp. Stream-ordered: nothing synchronises.
// Behind its own include because CUB's sort costs about 10 s of compile time per file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <cub/device/device_radix_sort.cuh>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/copy.cuh>

namespace edgewise::inline v0 {

namespace detail {

inline constexpr int convert_threads = 256;

/// Blocks of a grid-stride loop over `size` elements; the loop covers what a grid of this many blocks does not.
inline unsigned convert_blocks(std::int64_t size) {
  std::int64_t const blocks = (size + convert_threads - 1) / convert_threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > 65536 ? 65536 : blocks);
}

EDGEWISE_DEVICE std::int64_t convert_first() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
EDGEWISE_DEVICE std::int64_t convert_stride() { return std::int64_t{gridDim.x} * blockDim.x; }

/// How many of the ascending `values` are less than `bound`.
template <class Value>
EDGEWISE_HD std::int64_t count_less(Value const* values, std::int64_t size, std::int64_t bound) {
  std::int64_t low = 0;
  std::int64_t high = size;
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (static_cast<std::int64_t>(values[middle]) < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// What is sorted along with the keys: the position that an edge had.
template <class Offset>
__global__ void number_positions(Offset* positions, std::int64_t num_edges) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) positions[k] = static_cast<Offset>(k);
}

/// The row of every position. A search per position keeps the work even whatever the degrees.
template <class Index, class Offset>
__global__ void expand_rows(Offset const* offsets, std::int64_t num_rows, std::int64_t num_edges, Index* row_of) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) {
    row_of[k] = static_cast<Index>(count_less(offsets, num_rows + 1, k + 1) - 1);
  }
}

/// Row r starts where the sorted keys reach r.
template <class Index, class Offset>
__global__ void find_offsets(Index const* sorted_rows, std::int64_t num_rows, std::int64_t num_edges, Offset* offsets) {
  for (auto r = convert_first(); r <= num_rows; r += convert_stride()) {
    offsets[r] = static_cast<Offset>(count_less(sorted_rows, num_edges, r));
  }
}

/// Moves neighbors and ids to where the sort put their edges.
template <class Index, class Offset>
__global__ void permute_edges(Offset const* positions, Index const* from_neighbors, Offset const* from_ids,
                              std::int64_t num_edges, Index* neighbors, Offset* edge_ids) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) {
    Offset const position = positions[k];
    neighbors[k] = from_neighbors[position];
    edge_ids[k] = from_ids ? from_ids[position] : position;
  }
}

/// Radix-sort passes cost a read and a write of all pairs, so only the bits that row ids can have are sorted.
inline int row_bits(std::int64_t num_rows) {
  int bits = 1;
  while (bits < 63 && (std::int64_t{1} << bits) < num_rows) ++bits;
  return bits;
}

/// Temporary device memory of a sort of at most `num_edges` edges by row: two positions and one index per edge, and
/// what the sort itself asks for.
template <class Index, class Offset>
struct sort_space {
  device_buffer<Index> rows;
  device_buffer<Offset> positions;
  device_buffer<Offset> sorted_positions;
  device_buffer<std::byte> storage;

  sort_space() = default;
  sort_space(cuda const& exec, std::int64_t num_rows, std::int64_t num_edges)
      : rows(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream),
        positions(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream),
        sorted_positions(static_cast<std::size_t>(num_edges), memory_of(exec), exec.stream) {
    std::size_t bytes = 0;
    if (num_edges > 0) sort(exec, nullptr, num_rows, num_edges, nullptr, bytes);
    storage = device_buffer<std::byte>(bytes > 0 ? bytes : 1, memory_of(exec), exec.stream);
  }

  /// Sorts positions by keys in [0, num_rows], stably; asks for the size of its storage where that is null.
  void sort(cuda const& exec, Index const* keys, std::int64_t num_rows, std::int64_t num_edges, void* at,
            std::size_t& bytes) {
    check_cuda(call_apart([&] {
                 return cub::DeviceRadixSort::SortPairs(at, bytes, keys, rows.data(), positions.data(),
                                                        sorted_positions.data(), num_edges, 0, row_bits(num_rows + 1),
                                                        exec.stream);
               }),
               "convert: DeviceRadixSort::SortPairs");
  }
};

/// Where a grouping is written. Shapes: offsets [num_rows + 1], neighbors and edge_ids [num_edges].
template <class Index, class Offset>
struct grouping_arrays {
  Offset* offsets;
  Index* neighbors;
  Offset* edge_ids;
};

/// Groups edges (rows[k], neighbors[k], ids[k]) by row, stably; all arrays are device arrays of `num_edges` elements.
/// Edges whose row is `num_rows` come last and belong to no row. Launches alone: nothing is allocated.
template <class Index, class Offset>
void group_into(cuda const& exec, std::int64_t num_rows, Index const* rows, Index const* from_neighbors,
                Offset const* from_ids, std::int64_t num_edges, grouping_arrays<Index, Offset> const& to,
                sort_space<Index, Offset>& space) {
  if (num_edges > 0) {
    launch_kernel("convert: number_positions", number_positions<Offset>, convert_blocks(num_edges), convert_threads,
                  exec.stream, space.positions.data(), num_edges);
    std::size_t bytes = space.storage.size();
    space.sort(exec, rows, num_rows, num_edges, space.storage.data(), bytes);
    launch_kernel("convert: permute_edges", permute_edges<Index, Offset>, convert_blocks(num_edges), convert_threads,
                  exec.stream, space.sorted_positions.data(), from_neighbors, from_ids, num_edges, to.neighbors,
                  to.edge_ids);
  }
  launch_kernel("convert: find_offsets", find_offsets<Index, Offset>, convert_blocks(num_rows + 1), convert_threads,
                exec.stream, space.rows.data(), num_rows, num_edges, to.offsets);
}

/// Groups edges into a container.
template <class Container>
Container group_device_edges(cuda const& exec, vertex_counts counts, std::int64_t num_rows,
                             typename Container::index_type const* rows,
                             typename Container::index_type const* from_neighbors,
                             typename Container::offset_type const* from_ids, std::int64_t num_edges) {
  using index_type = typename Container::index_type;
  using offset_type = typename Container::offset_type;
  auto* const memory = memory_of(exec);
  auto const size = static_cast<std::size_t>(num_edges);
  device_buffer<offset_type> offsets(static_cast<std::size_t>(num_rows) + 1, memory, exec.stream);
  device_buffer<index_type> neighbors(size, memory, exec.stream);
  device_buffer<offset_type> edge_ids(size, memory, exec.stream);
  auto space = make_passing([&] { return sort_space<index_type, offset_type>(exec, num_rows, num_edges); });
  group_into(exec, num_rows, rows, from_neighbors, from_ids, num_edges,
             grouping_arrays<index_type, offset_type>{offsets.data(), neighbors.data(), edge_ids.data()}, space);
  return {counts, std::move(offsets), std::move(neighbors), std::move(edge_ids)};
}

/// The row of every position of a device csr or csc.
template <class View>
device_buffer<typename View::index_type> device_row_of(cuda const& exec, View const& rows) {
  device_buffer<typename View::index_type> row_of(static_cast<std::size_t>(rows.num_edges), memory_of(exec),
                                                  exec.stream);
  if (rows.num_edges > 0) {
    launch_kernel("convert: expand_rows", expand_rows<typename View::index_type, typename View::offset_type>,
                  convert_blocks(rows.num_edges), convert_threads, exec.stream, rows.offsets, rows.num_rows,
                  rows.num_edges, row_of.data());
  }
  return row_of;
}

template <class T>
device_buffer<T> device_copy(cuda const& exec, T const* data, std::int64_t size) {
  return copy_bytes<device_space>(data, static_cast<std::size_t>(size), memory_of(exec), exec.stream,
                                  cudaMemcpyDeviceToDevice, exec.stream);
}

template <class View>
vertex_counts counts_of(View const& edges) {
  return {.sources = edges.num_sources(), .destinations = edges.num_destinations()};
}

/// Regroups a csr by source or a csc by destination: its neighbors become the rows.
template <class Container, class View>
Container transpose_on_device(cuda const& exec, View const& rows) {
  auto const row_of = make_passing([&] { return device_row_of(exec, rows); });
  return group_device_edges<Container>(exec, counts_of(rows), rows.num_neighbors, rows.neighbors, row_of.data(),
                                       rows.edge_ids, rows.num_edges);
}

}  // namespace detail

/// Device edges grouped by destination or by source, in the order and with the ids that the host conversions give.
/// Asynchronous on `exec.stream`; results and temporary arrays (two positions and one index per edge, and what the sort
/// asks for) come from `exec.memory`. Edges lie in device memory and are valid. Throws `invalid_argument` where they
/// are in memory of the host or of another device, `cuda_error`.
template <class Index, class Offset>
csr<Index, Offset, device_space> to_csr(cuda const& exec, coo_view<Index, Offset> const& edges) {
  detail::device_call const call(exec, "to_csr");
  detail::check_device_edges(call, edges);
  return detail::group_device_edges<csr<Index, Offset, device_space>>(exec, detail::counts_of(edges),
                                                                      edges.destination_count, edges.destinations,
                                                                      edges.sources, edges.edge_ids, edges.num_edges);
}
template <class Index, class Offset>
csc<Index, Offset, device_space> to_csc(cuda const& exec, coo_view<Index, Offset> const& edges) {
  detail::device_call const call(exec, "to_csc");
  detail::check_device_edges(call, edges);
  return detail::group_device_edges<csc<Index, Offset, device_space>>(
      exec, detail::counts_of(edges), edges.source_count, edges.sources, edges.destinations, edges.edge_ids,
      edges.num_edges);
}
template <class Index, class Offset>
csr<Index, Offset, device_space> to_csr(cuda const& exec, csc_view<Index, Offset> const& rows) {
  detail::device_call const call(exec, "to_csr");
  detail::check_device_edges(call, rows);
  return detail::transpose_on_device<csr<Index, Offset, device_space>>(exec, rows);
}
template <class Index, class Offset>
csc<Index, Offset, device_space> to_csc(cuda const& exec, csr_view<Index, Offset> const& rows) {
  detail::device_call const call(exec, "to_csc");
  detail::check_device_edges(call, rows);
  return detail::transpose_on_device<csc<Index, Offset, device_space>>(exec, rows);
}

/// The edges of a device csr or csc as pairs, in the order of their positions; ids stay unwritten where it has none.
/// Asynchronous on `exec.stream`. Throws `cuda_error`.
template <class Index, class Offset>
coo<Index, Offset, device_space> to_coo(cuda const& exec, csr_view<Index, Offset> const& rows) {
  detail::device_call const call(exec, "to_coo");
  detail::check_device_edges(call, rows);
  return {detail::counts_of(rows), detail::device_copy(exec, rows.neighbors, rows.num_edges),
          detail::device_row_of(exec, rows),
          detail::device_copy(exec, rows.edge_ids, rows.edge_ids ? rows.num_edges : 0)};
}
template <class Index, class Offset>
coo<Index, Offset, device_space> to_coo(cuda const& exec, csc_view<Index, Offset> const& rows) {
  detail::device_call const call(exec, "to_coo");
  detail::check_device_edges(call, rows);
  return {detail::counts_of(rows), detail::device_row_of(exec, rows),
          detail::device_copy(exec, rows.neighbors, rows.num_edges),
          detail::device_copy(exec, rows.edge_ids, rows.edge_ids ? rows.num_edges : 0)};
}

}  // namespace edgewise::inline v0
