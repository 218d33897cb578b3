// Counts in device memory, and their sums. Behind its own include because of CUB's scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <cub/device/device_scan.cuh>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/copy.cuh>

namespace edgewise::inline v0::detail {

/// `size` numbers, zero at first, and then how much all those before each are together; one element more than the
/// numbers, for the sum of all. `call` stands in messages and outlives this.
template <class Count>
class counted_marks {
public:
  counted_marks(cuda const& exec, char const* call, std::int64_t size)
      : call_(call), marks_(static_cast<std::size_t>(size) + 1, memory_of(exec), exec.stream) {
    check_cuda(cudaMemsetAsync(marks_.data(), 0, marks_.size_bytes(), exec.stream), call_);
  }
  Count* data() { return marks_.data(); }
  void count(cuda const& exec) {
    auto const size = static_cast<std::int64_t>(marks_.size());
    std::size_t bytes = 0;
    scan(exec, nullptr, bytes, size);
    device_buffer<std::byte> storage(bytes > 0 ? bytes : 1, memory_of(exec), exec.stream);
    scan(exec, storage.data(), bytes, size);
  }
  /// Waits for the stream.
  std::size_t read_total(cuda const& exec) const {
    Count total = 0;
    check_cuda(cudaMemcpyAsync(&total, marks_.data() + (marks_.size() - 1), sizeof(total), cudaMemcpyDeviceToHost,
                               exec.stream),
               call_);
    check_cuda(cudaStreamSynchronize(exec.stream), call_);
    return static_cast<std::size_t>(total);
  }
  device_buffer<Count> take() && { return std::move(marks_); }

private:
  void scan(cuda const& exec, void* storage, std::size_t& bytes, std::int64_t size) {
    check_cuda(call_apart([&] {
                 return cub::DeviceScan::ExclusiveSum(storage, bytes, marks_.data(), marks_.data(), size, exec.stream);
               }),
               call_);
  }
  char const* call_;
  device_buffer<Count> marks_;
};

}  // namespace edgewise::inline v0::detail
