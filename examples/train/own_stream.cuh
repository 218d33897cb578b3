// The stream of a training.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>

namespace edgewise::train {

/// A stream that is not the legacy default one, so that nothing else waits for the training.
class own_stream {
public:
  own_stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "train: stream"); }
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
  ~own_stream() { cudaStreamDestroy(stream_); }
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace edgewise::train
