// GCN normalisation of device graphs: the factors and weights of format/normalize.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/copy.cuh>
#include <edgewise/format/normalize.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// What both kernels read and write; `edge_weights` null means weights 1. Of vertices: factors, or their degrees, which
/// edges are divided by; `scaled` is by edge id.
template <class Index, class Offset, class Real, class OfVertices>
struct normalize_task {
  csr_view<Index, Offset> by_destination;
  csc_view<Index, Offset> by_source;
  Real const* edge_weights;
  OfVertices* of_sources;
  OfVertices* of_destinations;
  Real* scaled;
  normalize_options options;
};

inline constexpr int normalize_threads = 256;
inline constexpr int normalize_warps = normalize_threads / 32;

/// Blocks of a loop in which a warp takes a row at a time; the loop covers what a grid of this many blocks does not.
inline unsigned normalize_blocks(std::int64_t num_rows) {
  std::int64_t const blocks = (num_rows + normalize_warps - 1) / normalize_warps;
  return static_cast<unsigned>(blocks < 65536 ? blocks : 65536);
}

/// The weighted degree of a row, the same in all lanes. Lane sums are folded in a fixed order: the same bits every
/// time.
template <class Index, class Offset, class Real>
EDGEWISE_DEVICE double warp_degree(grouping_view<Index, Offset> const& rows, Index row, Real const* edge_weights,
                                   int lane) {
  Offset const begin = rows.offsets[row];
  Offset const end = rows.offsets[row + 1];
  if (edge_weights == nullptr) return static_cast<double>(end - begin);
  double sum = 0;
  for (std::int64_t k = std::int64_t{begin} + lane; k < end; k += 32) {
    sum += static_cast<double>(edge_weights[rows.edge_id(static_cast<Offset>(k))]);
  }
  EDGEWISE_UNROLL
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  return sum;
}

/// One warp per row: first all destinations, then all sources.
template <bool GivesDegrees, class Index, class Offset, class Real, class OfVertices>
__global__ void normalize_vertices_kernel(
    __grid_constant__ normalize_task<Index, Offset, Real, OfVertices> const task) {
  int const lane = static_cast<int>(threadIdx.x % 32);
  std::int64_t const num_destinations = task.by_destination.num_rows;
  std::int64_t const num_rows = num_destinations + task.by_source.num_rows;
  double const extra = task.options.self_loop == virtual_self_loop::present ? 1 : 0;
  bool const take_root = task.options.mode == normalization::both;
  bool const by_source = task.options.mode == normalization::right || take_root;
  bool const by_destination = task.options.mode == normalization::left || take_root;
  for (std::int64_t r = std::int64_t{blockIdx.x} * normalize_warps + threadIdx.x / 32; r < num_rows;
       r += std::int64_t{gridDim.x} * normalize_warps) {
    bool const is_destination = r < num_destinations;
    OfVertices result = OfVertices(1);
    if (is_destination ? by_destination : by_source) {
      double const degree =
          is_destination
              ? warp_degree<Index, Offset>(task.by_destination, static_cast<Index>(r), task.edge_weights, lane)
              : warp_degree<Index, Offset>(task.by_source, static_cast<Index>(r - num_destinations), task.edge_weights,
                                           lane);
      if constexpr (GivesDegrees) {
        result = degree + extra;
      } else {
        result = factor_of_degree<OfVertices>(degree + extra, take_root);
      }
    }
    OfVertices* const out = is_destination ? task.of_destinations + r : task.of_sources + (r - num_destinations);
    if (lane == 0) *out = result;
  }
}

/// One warp per destination, one lane per edge.
template <class Index, class Offset, class Real>
__global__ void normalize_edges_kernel(__grid_constant__ normalize_task<Index, Offset, Real, double> const task) {
  auto const& rows = task.by_destination;
  int const lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t r = std::int64_t{blockIdx.x} * normalize_warps + threadIdx.x / 32; r < rows.num_rows;
       r += std::int64_t{gridDim.x} * normalize_warps) {
    double const in_degree = task.of_destinations[r];
    for (std::int64_t k = std::int64_t{rows.offsets[r]} + lane; k < rows.offsets[r + 1]; k += 32) {
      Offset const id = rows.edge_id(static_cast<Offset>(k));
      double const weight = task.edge_weights ? static_cast<double>(task.edge_weights[id]) : 1.0;
      double const out_degree = task.of_sources[rows.neighbors[k]];
      task.scaled[id] = static_cast<Real>(scaled_weight(weight, out_degree, in_degree, task.options.mode));
    }
  }
}

template <bool GivesDegrees, class Index, class Offset, class Real, class OfVertices>
normalize_task<Index, Offset, Real, OfVertices> run_normalize_vertices(
    device_call const& call, cuda const& exec, graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g,
    normalize_options options, Real const* edge_weights, vertex_factors<OfVertices, device_space>& result) {
  auto const& [by_destination, by_source] = g;
  require_self_loops_possible({.sources = by_source.num_rows, .destinations = by_destination.num_rows}, options);
  check_device_edges(call, by_destination);
  check_device_edges(call, by_source);
  if (edge_weights) call.check(edge_weights, by_destination.num_edges, "edge_weights");
  auto* const memory = memory_of(exec);
  result.source = {static_cast<std::size_t>(by_source.num_rows), memory, exec.stream};
  result.destination = {static_cast<std::size_t>(by_destination.num_rows), memory, exec.stream};
  normalize_task<Index, Offset, Real, OfVertices> const task{
      by_destination, by_source, edge_weights, result.source.data(), result.destination.data(), nullptr, options};
  std::int64_t const num_rows = std::int64_t{by_destination.num_rows} + by_source.num_rows;
  if (num_rows > 0) {
    launch_kernel("normalize_vertices: launch",
                  normalize_vertices_kernel<GivesDegrees, Index, Offset, Real, OfVertices>, normalize_blocks(num_rows),
                  normalize_threads, exec.stream, task);
  }
  return task;
}

}  // namespace detail

/// The factors of the host's `normalize_vertices`, of a device graph that has both groupings: degrees are sums over
/// rows, so no atomics and the same bits every time. One launch, asynchronous on `exec.stream`; memory from
/// `exec.memory`. Throws `invalid_argument` as the host's, `cuda_error`.
template <class Real = float, class Index, class Offset>
vertex_factors<Real, device_space> normalize_vertices(cuda const& exec,
                                                      graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g,
                                                      normalize_options options = {},
                                                      std::type_identity_t<Real> const* edge_weights = nullptr) {
  vertex_factors<Real, device_space> factors;
  detail::device_call const call(exec, "normalize_vertices");
  detail::run_normalize_vertices<false, Index, Offset, Real>(call, exec, g, options, edge_weights, factors);
  return factors;
}

/// The weights of the host's `normalize_edges`, [E] by edge id, of a device graph that has both groupings. Two
/// launches, asynchronous on `exec.stream`; memory from `exec.memory`. Throws `invalid_argument` as the host's,
/// `cuda_error`.
template <class Real = float, class Index, class Offset>
device_buffer<Real> normalize_edges(cuda const& exec, graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g,
                                    normalize_options options = {},
                                    std::type_identity_t<Real> const* edge_weights = nullptr) {
  vertex_factors<double, device_space> degrees;
  detail::device_call const call(exec, "normalize_edges");
  auto task = detail::run_normalize_vertices<true, Index, Offset, Real>(call, exec, g, options, edge_weights, degrees);
  device_buffer<Real> scaled(static_cast<std::size_t>(g.first.num_edges), detail::memory_of(exec), exec.stream);
  task.scaled = scaled.data();
  if (g.first.num_edges > 0) {
    detail::launch_kernel("normalize_edges: launch", detail::normalize_edges_kernel<Index, Offset, Real>,
                          detail::normalize_blocks(g.first.num_rows), detail::normalize_threads, exec.stream, task);
  }
  return scaled;
}

}  // namespace edgewise::inline v0
