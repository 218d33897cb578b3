// A run of one model on the current CUDA device.
#pragma once

#include <cstdint>

#include <edgewise/core/device_memory.cuh>

#include "models/context.cuh"
#include "models/replay.cuh"
#include "train/training.hpp"

namespace edgewise::train {
namespace detail {

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

}  // namespace detail

/// Trains `Model`, a template over the scalar and the context, once on the current CUDA device.
template <template <class, class> class Model>
run_record run_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  detail::own_stream const stream;
  return train_once<Model<float, models::context<cuda>>>({.stream = stream.get()}, device_memory(), data, options, seed,
                                                         observe);
}

}  // namespace edgewise::train
