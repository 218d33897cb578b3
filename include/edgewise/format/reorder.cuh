// Orders of vertices on the device: operands put in a new order, and back.
#pragma once

#include <cstdint>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/copy.cuh>
#include <edgewise/format/reorder.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// to's row i = from's row rows[i], one element per thread: neighbors in a row are neighbors in a warp.
template <class Index, class T>
__global__ void copy_rows_kernel(Index const* rows, std::int64_t num_rows, std::int64_t row_size, T const* from,
                                 std::int64_t from_stride, T* to, std::int64_t to_stride) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < num_rows * row_size; k += step) {
    std::int64_t const row = k / row_size;
    std::int64_t const element = k - row * row_size;
    to[row * to_stride + element] = from[static_cast<std::int64_t>(rows[row]) * from_stride + element];
  }
}

template <class Index, class From, class To>
void copy_rows(cuda const& exec, char const* name, device_buffer<Index> const& rows, From const& from, To const& to) {
  std::int64_t const size = static_cast<std::int64_t>(rows.size()) * from.row_size();
  if (size == 0) return;
  device_call const call(exec, name);
  call.check(rows.data(), rows.size(), "the order");
  call.check(from.data, size, "from");
  call.check(to.data, size, "to");
  constexpr int threads = 256;
  std::int64_t const blocks = (size + threads - 1) / threads;
  using element = typename To::value_type;
  launch_kernel("permute_rows: launch", copy_rows_kernel<Index, element>,
                static_cast<unsigned>(blocks < 65536 ? blocks : 65536), threads, exec.stream, rows.data(),
                static_cast<std::int64_t>(rows.size()), from.row_size(), from.data, from.row_stride, to.data,
                to.row_stride);
}

}  // namespace detail

/// A copy of an order in device memory, as other arrays are copied (format/copy.cuh).
template <class Index>
vertex_order<Index, device_space> to_device(cuda const& exec, vertex_order<Index> const& order) {
  detail::device_call const call(exec, "to_device");
  return {detail::upload(exec, order.old_of_new), detail::upload(exec, order.new_of_old)};
}

/// The functions of format/reorder.hpp on views of device memory. One launch, asynchronous on `exec.stream`, allocates
/// nothing.
template <class Index, class T, class U, operand_kind Kind>
void permute_rows(cuda const& exec, vertex_order<Index, device_space> const& order, operand_view<T, Kind> const& from,
                  operand_view<U, Kind> const& to) {
  detail::require_rows_of_order(from, to, order.size(), "permute_rows");
  detail::copy_rows(exec, "permute_rows", order.old_of_new, from, to);
}
template <class Index, class T, class U, operand_kind Kind>
void restore_rows(cuda const& exec, vertex_order<Index, device_space> const& order, operand_view<T, Kind> const& from,
                  operand_view<U, Kind> const& to) {
  detail::require_rows_of_order(from, to, order.size(), "restore_rows");
  detail::copy_rows(exec, "restore_rows", order.new_of_old, from, to);
}

}  // namespace edgewise::inline v0
