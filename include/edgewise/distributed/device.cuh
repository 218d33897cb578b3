// What distributed graphs need of a GPU: rows packed and added up by kernels, parts copied there, host numbers sent by
// a communicator that moves device memory alone.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/device_site.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/list_operations.cuh>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/copy.cuh>

namespace edgewise::inline v0::detail {

/// Threads of a block: `1 << lane_bits` side by side take a row's numbers in turn, N at a time.
template <int N, class Body>
__global__ void __launch_bounds__(256)
    run_number_loop(std::int64_t rows, std::int64_t row_size, int lane_bits, Body body) {
  std::int64_t const row = (std::int64_t{blockIdx.x} << (8 - lane_bits)) + (threadIdx.x >> lane_bits);
  if (row >= rows) return;
  int const lanes = 1 << lane_bits;
  for (std::int64_t k = static_cast<int>(threadIdx.x) & (lanes - 1); k < row_size / N; k += lanes) {
    body.template run<N>(row, k * N);
  }
}

template <>
struct number_loop<cuda> {
  template <class Body>
  static void run(cuda const& exec, std::int64_t rows, std::int64_t row_size, Body const& body) {
    if (rows == 0 || row_size == 0) return;
    if constexpr (requires { body.in_fours(row_size); }) {
      if (row_size % 4 == 0 && body.in_fours(row_size)) return launch<4>(exec, rows, row_size, body);
    }
    launch<1>(exec, rows, row_size, body);
  }

private:
  template <int N, class Body>
  static void launch(cuda const& exec, std::int64_t rows, std::int64_t row_size, Body const& body) {
    int lane_bits = 0;
    while (lane_bits < 8 && (std::int64_t{1} << lane_bits) * N < row_size) ++lane_bits;
    std::int64_t const rows_of_block = 256 >> lane_bits;
    launch_kernel("distributed: move rows", run_number_loop<N, Body>,
                  launch_blocks((rows + rows_of_block - 1) / rows_of_block), 256, exec.stream, rows, row_size,
                  lane_bits, body);
  }
};

template <>
struct part_memory<cuda> {
  /// Waits for the stream: `values` may go.
  template <class T>
  static device_buffer<T> place(cuda const& exec, host_buffer<T> const& values) {
    auto placed = make<T>(exec, values.size());
    copy(exec, span_of(values), placed.data());
    wait(exec);
    return placed;
  }
  template <class Index, class Offset>
  static csr<Index, Offset, device_space> place(cuda const& exec, csr<Index, Offset> const& rows) {
    return to_device(exec, rows);
  }
  /// It may outlive the stream.
  template <class T>
  static device_buffer<T> make(cuda const& exec, std::size_t size) {
    device_call const call(exec, "distributed: place a part");
    return device_buffer<T>(size, memory_of(exec), exec.stream);
  }
  template <class T>
  static device_buffer<T> show(cuda const& exec, std::span<T const> values) {
    return to_device(exec, values);
  }
  template <class T>
  static device_buffer<T> make_passing(cuda const& exec, std::size_t size) {
    return device_buffer<T>(size, memory_of(exec), exec.stream);
  }
  template <class T>
  static void copy(cuda const& exec, std::span<T const> from, T* to) {
    if (from.empty()) return;
    check_cuda(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, exec.stream),
               "distributed: copy a part");
  }
  template <class T>
  static host_buffer<T> read(cuda const& exec, device_buffer<T> const& values) {
    return to_host(exec, values);
  }
  static void wait(cuda const& exec) { check_cuda(cudaStreamSynchronize(exec.stream), "distributed: place a part"); }
};

/// Host messages go through one array on the device.
template <>
struct host_messages<cuda> {
  template <communicator Comm>
  static void exchange(Comm& comm, cuda const& exec, std::span<outgoing const> sends,
                       std::span<incoming const> receives) {
    constexpr std::size_t alignment = 16;
    std::size_t bytes = 0;
    auto const reserve = [&](std::size_t size) {
      std::size_t const at = bytes;
      bytes += (size + alignment - 1) / alignment * alignment;
      return at;
    };
    std::vector<std::size_t> sent_at, received_at;
    for (auto const& message : sends) sent_at.push_back(reserve(message.bytes));
    for (auto const& message : receives) received_at.push_back(reserve(message.bytes));
    device_buffer<char> staged(bytes, memory_of(exec), exec.stream);
    std::vector<outgoing> staged_sends;
    std::vector<incoming> staged_receives;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      char* const at = staged.data() + sent_at[i];
      check_cuda(cudaMemcpyAsync(at, sends[i].data, sends[i].bytes, cudaMemcpyHostToDevice, exec.stream),
                 "distributed: stage messages");
      staged_sends.push_back({at, sends[i].bytes, sends[i].rank});
    }
    for (std::size_t i = 0; i < receives.size(); ++i) {
      staged_receives.push_back({staged.data() + received_at[i], receives[i].bytes, receives[i].rank});
    }
    comm.start(exec, staged_sends, staged_receives);
    comm.finish(exec);
    for (std::size_t i = 0; i < receives.size(); ++i) {
      check_cuda(cudaMemcpyAsync(receives[i].data, staged.data() + received_at[i], receives[i].bytes,
                                 cudaMemcpyDeviceToHost, exec.stream),
                 "distributed: stage messages");
    }
    comm.wait(exec);
  }
};

}  // namespace edgewise::inline v0::detail
