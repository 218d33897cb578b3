// Device memory that NCCL copies messages from and to without buffers of its own between. Opt-in: needs nccl.h.
#pragma once

#include <edgewise/core/memory.hpp>

#if __has_include(<nccl.h>)
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/distributed/communicator.hpp>

namespace edgewise::inline v0::detail {

/// Memory that is registered with a communicator, from 1 MiB on; smaller arrays are of `device_memory()`. To give an
/// array back waits for its stream. Source: NCCL's user guide, "User Buffer Registration".
class registered_memory final : public memory_resource {
public:
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;

  registered_memory() = default;
  registered_memory(registered_memory const&) = delete;
  registered_memory& operator=(registered_memory const&) = delete;

  /// Null where the communicator ends, which forgets what is registered.
  void use(ncclComm_t comm) noexcept {
    std::lock_guard const lock(mutex_);
    comm_ = comm;
  }

  void* allocate(std::size_t bytes, stream_handle stream) override {
    if (bytes < least_bytes) return device_memory()->allocate(bytes, stream);
    void* made = nullptr;
    void* handle = nullptr;
    if (ncclMemAlloc(&made, bytes) != ncclSuccess) {
      cudaGetLastError();  // else a later check would report it
      throw std::bad_alloc();
    }
    std::lock_guard const lock(mutex_);
    if (!comm_ || ncclCommRegister(comm_, made, bytes, &handle) != ncclSuccess) {
      ncclMemFree(made);
      throw std::bad_alloc();
    }
    arrays_[address_of(made)] = {bytes, handle};
    return made;
  }
  void deallocate(void* pointer, std::size_t bytes, stream_handle stream) noexcept override {
    if (bytes < least_bytes) return device_memory()->deallocate(pointer, bytes, stream);
    cudaStreamSynchronize(stream);
    {
      std::lock_guard const lock(mutex_);
      auto const at = arrays_.find(address_of(pointer));
      if (comm_) ncclCommDeregister(comm_, at->second.handle);
      arrays_.erase(at);
    }
    ncclMemFree(pointer);
  }

  /// Are these bytes registered?
  bool holds(void const* data, std::size_t bytes) const {
    std::lock_guard const lock(mutex_);
    auto at = arrays_.upper_bound(address_of(data));
    if (at == arrays_.begin()) return false;
    --at;
    return address_of(data) + bytes <= at->first + at->second.bytes;
  }

private:
  struct array {
    std::size_t bytes;
    void* handle;
  };
  static std::uintptr_t address_of(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

  ncclComm_t comm_ = nullptr;
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, array> arrays_;
};

/// Messages of which all arrays are registered: of others copies are. NCCL wants all ranks to do the same.
struct registered_messages {
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
};

/// Registered memory, and room in it for copies of messages that lie elsewhere.
class message_memory {
public:
  registered_memory& resource() noexcept { return resource_; }

  /// Copies what is sent, in stream order, where it is not registered. May allocate.
  registered_messages place(std::span<outgoing const> sends, std::span<incoming const> receives, stream_handle stream) {
    registered_messages placed{{sends.begin(), sends.end()}, {receives.begin(), receives.end()}};
    std::size_t bytes = 0;
    for (auto const& message : sends) bytes += is_copied(message) ? room_for(message) : 0;
    for (auto const& message : receives) bytes += is_copied(message) ? room_for(message) : 0;
    make_room(bytes, stream);
    char* next = room_;
    for (auto& message : placed.sends) {
      if (!is_copied(message)) continue;
      check_cuda(cudaMemcpyAsync(next, message.data, message.bytes, cudaMemcpyDeviceToDevice, stream),
                 "nccl_communicator: copy");
      message.data = std::exchange(next, next + room_for(message));
    }
    for (auto& message : placed.receives) {
      if (is_copied(message)) message.data = std::exchange(next, next + room_for(message));
    }
    return placed;
  }
  /// Copies what was received to where it belongs, in stream order.
  static void take(registered_messages const& placed, std::span<incoming const> receives, stream_handle stream) {
    for (std::size_t k = 0; k < receives.size(); ++k) {
      if (placed.receives[k].data == receives[k].data) continue;
      check_cuda(cudaMemcpyAsync(receives[k].data, placed.receives[k].data, receives[k].bytes, cudaMemcpyDeviceToDevice,
                                 stream),
                 "nccl_communicator: copy");
    }
  }
  void give_back(stream_handle stream) noexcept {
    if (room_) resource_.deallocate(std::exchange(room_, nullptr), bytes_, stream);
    bytes_ = 0;
  }

private:
  template <class Message>
  bool is_copied(Message const& message) const {
    return !resource_.holds(message.data, message.bytes);
  }
  template <class Message>
  static std::size_t room_for(Message const& message) {
    constexpr std::size_t alignment = 256;
    return (message.bytes + alignment - 1) / alignment * alignment;
  }
  void make_room(std::size_t bytes, stream_handle stream) {
    if (bytes <= bytes_) return;
    std::size_t const wanted = std::max({bytes, 2 * bytes_, registered_memory::least_bytes});
    give_back(stream);
    room_ = static_cast<char*>(resource_.allocate(wanted, stream));
    bytes_ = wanted;
  }

  registered_memory resource_;
  char* room_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace edgewise::inline v0::detail
#endif
