// Pairs of type and vertex on the device, the same results as format/typed_pairs.hpp. Behind its own include, as
// format/convert.cuh is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <edgewise/format/typed_edges.cuh>
#include <edgewise/format/typed_pairs.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Type and vertex of the edge at every position as one key, and the position.
template <class Index, class Offset>
__global__ void make_pair_keys(typed_edges_view<Index, Offset> edges, Index const* vertices, std::int64_t num_vertices,
                               std::int64_t* keys, Offset* positions) {
  for (auto k = convert_first(); k < edges.num_edges; k += convert_stride()) {
    std::int64_t const type = count_less(edges.offsets, std::int64_t{edges.num_rows} + 1, k + 1) - 1;
    keys[k] = type * num_vertices + vertices[k];
    positions[k] = static_cast<Offset>(k);
  }
}

/// 1 where a pair begins among sorted keys.
template <class Index>
__global__ void mark_pairs(std::int64_t const* keys, std::int64_t num_edges, Index* begins) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) begins[k] = k == 0 || keys[k] != keys[k - 1];
}

/// What is written of each edge in sorted order, and of each pair by its first edge. numbers: pairs begun so far.
template <class Index, class Offset>
struct pair_arrays {
  std::int64_t const* keys;
  Offset const* positions;
  Index const* numbers;
  Index const* other_ends;
  Offset const* from_ids;
  std::int64_t num_vertices;
  Index* pairs;
  Index* ends;
  Offset* ids;
  Index* vertices;
  Index* owners;
  Index* own_numbers;
};
template <class Index, class Offset>
__global__ void write_pairs(pair_arrays<Index, Offset> a, std::int64_t num_edges) {
  for (auto k = convert_first(); k < num_edges; k += convert_stride()) {
    Offset const position = a.positions[k];
    Index const pair = a.numbers[k] - 1;
    a.pairs[k] = pair;
    a.ends[k] = a.other_ends[position];
    a.ids[k] = a.from_ids ? a.from_ids[position] : position;
    if (k > 0 && a.keys[k] == a.keys[k - 1]) continue;
    a.vertices[pair] = a.owners[pair] = static_cast<Index>(a.keys[k] % a.num_vertices);
    a.own_numbers[pair] = pair;
  }
}

/// Where the pairs of each type begin: as many pairs lie before as begin before its first edge.
template <class Index, class Offset>
__global__ void find_pair_offsets(Offset const* edge_offsets, Index const* numbers, std::int64_t num_types,
                                  Offset* offsets) {
  for (auto t = convert_first(); t <= num_types; t += convert_stride()) {
    offsets[t] = edge_offsets[t] > 0 ? static_cast<Offset>(numbers[edge_offsets[t] - 1]) : Offset(0);
  }
}

/// A sort or scan of CUB with temporary memory of its own: call(storage, bytes) is called twice.
template <class Call>
void run_with_storage(cuda const& exec, char const* what, Call const& call) {
  std::size_t bytes = 0;
  check_cuda(call_apart([&] { return call(nullptr, bytes); }), what);
  device_buffer<std::byte> storage(bytes > 0 ? bytes : 1, memory_of(exec), exec.stream);
  check_cuda(call_apart([&] { return call(storage.data(), bytes); }), what);
}

}  // namespace detail

/// The pairs that the edges of a device graph have at one end. Waits for the stream, since their number is not known
/// before. Results and temporary arrays (two keys and two positions for each edge, and what the sort asks for) come
/// from `exec.memory`. Throws `invalid_argument` where arrays are in memory of the host or of another device,
/// `cuda_error`.
template <class Index, class Offset>
typed_pairs<Index, Offset, device_space> find_typed_pairs(cuda const& exec,
                                                          typed_edges_view<Index, Offset> const& types, endpoint end) {
  detail::refuse_capture(exec.stream, "find_typed_pairs");
  detail::device_call const call(exec, "find_typed_pairs");
  detail::check_device_edges(call, types);
  call.check(types.far_ends, types.num_edges, "far_ends");
  bool const by_source = end == endpoint::source;
  std::int64_t const num_edges = types.num_edges;
  Index const num_vertices = by_source ? types.num_sources() : types.num_destinations();
  auto const make = [&]<class T>(std::int64_t count, type_tag<T>) {
    return device_buffer<T>(static_cast<std::size_t>(count), detail::memory_of(exec), exec.stream);
  };
  auto const launch = [&](char const* what, auto kernel, std::int64_t size, auto const&... arguments) {
    detail::launch_kernel(what, kernel, detail::convert_blocks(size), detail::convert_threads, exec.stream,
                          arguments...);
  };

  auto keys = make(num_edges, type_tag<std::int64_t>{});
  auto sorted_keys = make(num_edges, type_tag<std::int64_t>{});
  auto positions = make(num_edges, type_tag<Offset>{});
  auto sorted_positions = make(num_edges, type_tag<Offset>{});
  auto begins = make(num_edges, type_tag<Index>{});
  auto numbers = make(num_edges, type_tag<Index>{});
  Index num_pairs = 0;
  if (num_edges > 0) {
    launch("find_typed_pairs: make_pair_keys", detail::make_pair_keys<Index, Offset>, num_edges, types,
           by_source ? types.far_ends : types.neighbors, std::int64_t{num_vertices}, keys.data(), positions.data());
    int const bits = detail::row_bits(std::int64_t{types.num_types()} * num_vertices);
    detail::run_with_storage(exec, "find_typed_pairs: DeviceRadixSort::SortPairs", [&](void* at, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(at, bytes, keys.data(), sorted_keys.data(), positions.data(),
                                             sorted_positions.data(), num_edges, 0, bits, exec.stream);
    });
    launch("find_typed_pairs: mark_pairs", detail::mark_pairs<Index>, num_edges, sorted_keys.data(), num_edges,
           begins.data());
    detail::run_with_storage(exec, "find_typed_pairs: DeviceScan::InclusiveSum", [&](void* at, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(at, bytes, begins.data(), numbers.data(), num_edges, exec.stream);
    });
    check_cuda(cudaMemcpyAsync(&num_pairs, numbers.data() + num_edges - 1, sizeof num_pairs, cudaMemcpyDeviceToHost,
                               exec.stream),
               "find_typed_pairs: cudaMemcpyAsync");
    detail::wait(exec);
  }

  auto offsets = make(std::int64_t{types.num_types()} + 1, type_tag<Offset>{});
  auto vertices = make(num_pairs, type_tag<Index>{});
  auto owners = make(num_pairs, type_tag<Index>{});
  auto own_numbers = make(num_pairs, type_tag<Index>{});
  auto pairs = make(num_edges, type_tag<Index>{});
  auto ends = make(num_edges, type_tag<Index>{});
  auto ids = make(num_edges, type_tag<Offset>{});
  if (num_edges > 0) {
    launch("find_typed_pairs: write_pairs", detail::write_pairs<Index, Offset>, num_edges,
           detail::pair_arrays<Index, Offset>{sorted_keys.data(), sorted_positions.data(), numbers.data(),
                                              by_source ? types.neighbors : types.far_ends, types.edge_ids,
                                              num_vertices, pairs.data(), ends.data(), ids.data(), vertices.data(),
                                              owners.data(), own_numbers.data()},
           num_edges);
  }
  launch("find_typed_pairs: find_pair_offsets", detail::find_pair_offsets<Index, Offset>,
         std::int64_t{types.num_types()} + 1, types.offsets, numbers.data(), std::int64_t{types.num_types()},
         offsets.data());
  if (by_source) {
    return {
        .offsets = std::move(offsets),
        .vertices = std::move(vertices),
        .edges = {{.sources = num_pairs, .destinations = types.num_destinations()},
                  std::move(pairs),
                  std::move(ends),
                  std::move(ids)},
        .members = {{.sources = num_vertices, .destinations = num_pairs}, std::move(owners), std::move(own_numbers)}};
  }
  return {.offsets = std::move(offsets),
          .vertices = std::move(vertices),
          .edges = {{.sources = types.num_sources(), .destinations = num_pairs},
                    std::move(ends),
                    std::move(pairs),
                    std::move(ids)},
          .members = {{.sources = num_pairs, .destinations = num_vertices}, std::move(own_numbers), std::move(owners)}};
}
template <class Index, class Offset>
typed_pairs<Index, Offset, device_space> find_typed_pairs(cuda const& exec,
                                                          typed_edges<Index, Offset, device_space> const& types,
                                                          endpoint end) {
  return find_typed_pairs(exec, types.view(), end);
}

}  // namespace edgewise::inline v0
