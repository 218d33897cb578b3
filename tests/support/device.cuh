// Device arrays for tests: copies of host vectors, guarded outputs and a stream that implies no other.
// Memory comes from cudaMalloc, one allocation per array, so that compute-sanitizer sees where each ends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>

#include "guarded_output.hpp"

namespace edgewise::testing {

/// A stream that does not wait for the default stream: work that forgets its stream argument races and is seen.
class device_stream {
public:
  device_stream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "device_stream: cudaStreamCreateWithFlags");
  }
  ~device_stream() { cudaStreamDestroy(stream_); }
  device_stream(device_stream const&) = delete;
  device_stream& operator=(device_stream const&) = delete;

  cudaStream_t get() const { return stream_; }
  void synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "device_stream: cudaStreamSynchronize"); }

private:
  cudaStream_t stream_ = nullptr;
};

/// Device bytes; movable, freed at the end. An allocation of 0 bytes is null.
class device_bytes {
public:
  explicit device_bytes(std::size_t size) : size_(size) {
    if (size_ > 0) check_cuda(cudaMalloc(&data_, size_), "device_bytes: cudaMalloc");
  }
  device_bytes(device_bytes&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  device_bytes& operator=(device_bytes&&) = delete;
  ~device_bytes() { cudaFree(data_); }

  unsigned char* data() const { return static_cast<unsigned char*>(data_); }
  std::size_t size() const { return size_; }

private:
  void* data_ = nullptr;
  std::size_t size_;
};

/// A copy of a host vector in device memory. Upload and download wait for all work of the device, on every stream:
/// a copy from pageable memory may otherwise still be on its way when a non-blocking stream reads.
template <class T>
class device_array {
public:
  explicit device_array(std::vector<T> const& values) : size_(values.size()), memory_(values.size() * sizeof(T)) {
    if (size_ == 0) return;
    check_cuda(cudaMemcpy(memory_.data(), values.data(), memory_.size(), cudaMemcpyHostToDevice),
               "device_array: upload");
    check_cuda(cudaDeviceSynchronize(), "device_array: upload");
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  std::size_t size() const { return size_; }

  std::vector<T> values() const {
    std::vector<T> host(size_);
    check_cuda(cudaDeviceSynchronize(), "device_array: work before the download");
    if (size_ > 0) {
      check_cuda(cudaMemcpy(host.data(), memory_.data(), memory_.size(), cudaMemcpyDeviceToHost),
                 "device_array: download");
    }
    return host;
  }

private:
  std::size_t size_;
  device_bytes memory_;
};

/// The vector in device memory; waits for the device.
template <class T>
device_array<T> upload(std::vector<T> const& values) {
  return device_array<T>(values);
}

/// A device output of `size` elements, poisoned, between guard zones. Everything here waits for the device.
template <class T>
class guarded_device_output {
public:
  explicit guarded_device_output(std::size_t size)
      : size_(size), memory_(size * sizeof(T) + 2 * guarded_layout::guard_bytes) {
    check_cuda(cudaMemset(memory_.data(), guarded_layout::guard_byte, memory_.size()), "guarded_device_output: guards");
    poison();
  }

  /// Makes every element unwritten again; leaves the guards.
  void poison() {
    if (size_ > 0) check_cuda(cudaMemset(data(), poison_byte<T>(), size_ * sizeof(T)), "guarded_device_output: poison");
    check_cuda(cudaDeviceSynchronize(), "guarded_device_output: poison");
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data() + guarded_layout::guard_bytes); }
  std::size_t size() const { return size_; }

  std::vector<T> values() const {
    std::vector<T> host(size_);
    check_cuda(cudaDeviceSynchronize(), "guarded_device_output: work before the download");
    if (size_ > 0) {
      check_cuda(cudaMemcpy(host.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost),
                 "guarded_device_output: download");
    }
    return host;
  }

  /// Says what was written outside of the elements; empty when nothing was.
  std::string damage() const {
    std::vector<unsigned char> host(memory_.size());
    check_cuda(cudaDeviceSynchronize(), "guarded_device_output: work before the download");
    check_cuda(cudaMemcpy(host.data(), memory_.data(), host.size(), cudaMemcpyDeviceToHost),
               "guarded_device_output: download");
    return guarded_layout::damage(host.data(), size_ * sizeof(T));
  }

private:
  std::size_t size_;
  device_bytes memory_;
};

}  // namespace edgewise::testing
