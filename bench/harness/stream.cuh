// Owning CUDA stream and event.
#pragma once

#include <edgewise/core/device_memory.cuh>

namespace edgewise::bench {

/// A non-blocking stream, destroyed with its owner.
class owned_stream {
public:
  owned_stream() : owned_stream(0) {}
  explicit owned_stream(int priority) {
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "stream: create");
  }
  owned_stream(owned_stream const&) = delete;
  owned_stream& operator=(owned_stream const&) = delete;
  ~owned_stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

/// A timing event, destroyed with its owner.
class owned_event {
public:
  owned_event() { check_cuda(cudaEventCreate(&event_), "event: create"); }
  owned_event(owned_event const&) = delete;
  owned_event& operator=(owned_event const&) = delete;
  ~owned_event() { cudaEventDestroy(event_); }

  operator cudaEvent_t() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace edgewise::bench
