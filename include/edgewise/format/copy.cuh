// Copies of arrays and graph containers between host and device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/device_site.cuh>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/concept.hpp>
#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/typed_edges.hpp>
#include <edgewise/format/wsb.hpp>

namespace edgewise::inline v0 {

namespace detail {

inline memory_resource* memory_of(cuda const& exec) { return exec.memory ? exec.memory : device_memory(); }

template <class To, class T>
buffer<T, To> copy_bytes(T const* data, std::size_t size, memory_resource* memory, stream_handle memory_stream,
                         cudaMemcpyKind kind, stream_handle stream) {
  buffer<T, To> copy(size, memory, memory_stream);
  if (size > 0) {
    check_cuda(cudaMemcpyAsync(copy.data(), data, copy.size_bytes(), kind, stream), "graph copy: cudaMemcpyAsync");
  }
  return copy;
}

template <class T>
device_buffer<T> upload(cuda const& exec, host_buffer<T> const& values) {
  return copy_bytes<device_space>(values.data(), values.size(), memory_of(exec), exec.stream, cudaMemcpyHostToDevice,
                                  exec.stream);
}

template <class T>
host_buffer<T> start_download(cuda const& exec, T const* data, std::size_t size) {
  return copy_bytes<host_space>(data, size, host_memory(), nullptr, cudaMemcpyDeviceToHost, exec.stream);
}
template <class T>
host_buffer<T> start_download(cuda const& exec, device_buffer<T> const& values) {
  return start_download(exec, values.data(), values.size());
}

/// Throws `invalid_argument` unless the arrays of a graph lie where the device of a call reads them.
template <class Index, class Offset>
void check_device_edges(device_call const& call, coo_view<Index, Offset> const& edges) {
  call.check(edges.sources, edges.num_edges, "sources");
  call.check(edges.destinations, edges.num_edges, "destinations");
  if (edges.edge_ids) call.check(edges.edge_ids, edges.num_edges, "edge_ids");
}
template <class View>
requires requires(View const& rows) { rows.offsets; }
void check_device_edges(device_call const& call, View const& rows) {
  if (rows.offsets || rows.num_rows > 0) call.check(rows.offsets, std::int64_t{rows.num_rows} + 1, "offsets");
  call.check(rows.neighbors, rows.num_edges, "neighbors");
  if (rows.edge_ids) call.check(rows.edge_ids, rows.num_edges, "edge_ids");
}

inline void wait(cuda const& exec) {
  check_cuda(cudaStreamSynchronize(exec.stream), "graph copy: cudaStreamSynchronize");
}

}  // namespace detail

/// Copies of host arrays and containers in device memory, from `exec.memory`. Asynchronous: ordered on `exec.stream`,
/// which alone may use them until it is synchronised, and which the source must outlive. Throws `cuda_error`.
template <class T>
device_buffer<T> to_device(cuda const& exec, std::span<T const> values) {
  return detail::copy_bytes<device_space>(values.data(), values.size(), detail::memory_of(exec), exec.stream,
                                          cudaMemcpyHostToDevice, exec.stream);
}
template <class T>
device_buffer<T> to_device(cuda const& exec, std::span<T> values) {
  return to_device(exec, std::span<T const>(values));
}
template <class T>
device_buffer<T> to_device(cuda const& exec, std::vector<T> const& values) {
  return to_device(exec, std::span<T const>(values));
}
template <class T>
device_buffer<T> to_device(cuda const& exec, host_buffer<T> const& values) {
  return detail::upload(exec, values);
}
template <class Index, class Offset>
coo<Index, Offset, device_space> to_device(cuda const& exec, coo<Index, Offset> const& edges) {
  detail::device_call const call(exec, "to_device");
  return {edges.counts(), detail::upload(exec, edges.sources()), detail::upload(exec, edges.destinations()),
          detail::upload(exec, edges.edge_ids())};
}
template <class Index, class Offset>
csr<Index, Offset, device_space> to_device(cuda const& exec, csr<Index, Offset> const& rows) {
  if (rows.offsets().empty()) return {};  // made by default
  detail::device_call const call(exec, "to_device");
  return {rows.counts(), detail::upload(exec, rows.offsets()), detail::upload(exec, rows.neighbors()),
          detail::upload(exec, rows.edge_ids())};
}
template <class Index, class Offset>
csc<Index, Offset, device_space> to_device(cuda const& exec, csc<Index, Offset> const& rows) {
  if (rows.offsets().empty()) return {};  // made by default
  detail::device_call const call(exec, "to_device");
  return {rows.counts(), detail::upload(exec, rows.offsets()), detail::upload(exec, rows.neighbors()),
          detail::upload(exec, rows.edge_ids())};
}
template <class Index, class Offset>
typed_edges<Index, Offset, device_space> to_device(cuda const& exec, typed_edges<Index, Offset> const& edges) {
  if (edges.offsets().empty()) return {};  // made by default
  detail::device_call const call(exec, "to_device");
  return {edges.counts(),
          edges.num_types(),
          {detail::upload(exec, edges.offsets()), detail::upload(exec, edges.sources()),
           detail::upload(exec, edges.destinations()), detail::upload(exec, edges.edge_ids()),
           detail::upload(exec, edges.edge_types())}};
}
template <class Rows>
auto to_device(cuda const& exec, wsb<Rows> const& g) {
  using copy_type = wsb<decltype(to_device(exec, g.rows()))>;
  if (g.window_tiles().empty()) return copy_type();  // made by default
  detail::device_call const call(exec, "to_device");
  return copy_type(to_device(exec, g.rows()), detail::upload(exec, g.window_tiles()), detail::upload(exec, g.columns()),
                   detail::upload(exec, g.masks()));
}

/// Copies of device arrays, containers and views in host memory. Ordered on `exec.stream`, then synchronises it.
/// Throws `cuda_error`.
template <class T>
host_buffer<T> to_host(cuda const& exec, device_buffer<T> const& values) {
  detail::refuse_capture(exec.stream, "to_host");
  auto copy = detail::start_download(exec, values);
  detail::wait(exec);
  return copy;
}
template <class Index, class Offset>
coo<Index, Offset> to_host(cuda const& exec, coo_view<Index, Offset> const& edges) {
  detail::refuse_capture(exec.stream, "to_host");
  detail::device_call const call(exec, "to_host");
  detail::check_device_edges(call, edges);
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);
  coo<Index, Offset> copy({.sources = edges.source_count, .destinations = edges.destination_count},
                          detail::start_download(exec, edges.sources, num_edges),
                          detail::start_download(exec, edges.destinations, num_edges),
                          detail::start_download(exec, edges.edge_ids, edges.edge_ids ? num_edges : 0));
  detail::wait(exec);
  return copy;
}

namespace detail {

template <class Container>
Container download_rows(cuda const& exec, typename Container::view_type const& rows) {
  if (rows.offsets == nullptr) return {};  // made by default
  refuse_capture(exec.stream, "to_host");
  device_call const call(exec, "to_host");
  check_device_edges(call, rows);
  auto const num_edges = static_cast<std::size_t>(rows.num_edges);
  Container copy({.sources = rows.num_sources(), .destinations = rows.num_destinations()},
                 start_download(exec, rows.offsets, static_cast<std::size_t>(rows.num_rows) + 1),
                 start_download(exec, rows.neighbors, num_edges),
                 start_download(exec, rows.edge_ids, rows.edge_ids ? num_edges : 0));
  wait(exec);
  return copy;
}

}  // namespace detail

template <class Index, class Offset>
csr<Index, Offset> to_host(cuda const& exec, csr_view<Index, Offset> const& rows) {
  return detail::download_rows<csr<Index, Offset>>(exec, rows);
}
template <class Index, class Offset>
csc<Index, Offset> to_host(cuda const& exec, csc_view<Index, Offset> const& rows) {
  return detail::download_rows<csc<Index, Offset>>(exec, rows);
}
template <class Index, class Offset>
typed_edges<Index, Offset> to_host(cuda const& exec, typed_edges_view<Index, Offset> const& edges) {
  if (edges.offsets == nullptr) return {};  // made by default
  detail::refuse_capture(exec.stream, "to_host");
  detail::device_call const call(exec, "to_host");
  detail::check_device_edges(call, edges);
  auto const num_edges = static_cast<std::size_t>(edges.num_edges);
  call.check(edges.far_ends, edges.num_edges, "far_ends");
  call.check(edges.edge_types, edges.num_edges, "edge_types");
  typed_edges<Index, Offset> copy(
      {.sources = edges.num_sources(), .destinations = edges.num_destinations()}, edges.num_types(),
      {detail::start_download(exec, edges.offsets, static_cast<std::size_t>(edges.num_types()) + 1),
       detail::start_download(exec, edges.far_ends, num_edges),
       detail::start_download(exec, edges.neighbors, num_edges),
       detail::start_download(exec, edges.edge_ids, num_edges),
       detail::start_download(exec, edges.edge_types, num_edges)});
  detail::wait(exec);
  return copy;
}
template <class Rows>
auto to_host(cuda const& exec, wsb_view<Rows> const& g) {
  using copy_type = wsb<decltype(to_host(exec, static_cast<Rows const&>(g)))>;
  if (g.window_tiles == nullptr) return copy_type();  // made by default
  auto const slots = static_cast<std::size_t>(g.num_tiles) * wsb_tile_columns;
  detail::device_call const call(exec, "to_host");
  call.check(g.window_tiles, std::int64_t{g.num_windows()} + 1, "window_tiles");
  call.check(g.columns, slots, "columns");
  call.check(g.masks, slots, "masks");
  auto window_tiles = detail::start_download(exec, g.window_tiles, static_cast<std::size_t>(g.num_windows()) + 1);
  auto columns = detail::start_download(exec, g.columns, slots);
  auto masks = detail::start_download(exec, g.masks, slots);
  auto rows = to_host(exec, static_cast<Rows const&>(g));  // waits
  return copy_type(std::move(rows), std::move(window_tiles), std::move(columns), std::move(masks));
}
template <graph_container Container>
auto to_host(cuda const& exec, Container const& container) {
  static_assert(std::is_same_v<typename Container::space, device_space>, "to_host: the container is in host memory");
  return to_host(exec, container.view());
}

}  // namespace edgewise::inline v0
