#include <edgewise/execute/device_memory.cuh>

#include "models/context.cuh"
#include "models/gat.hpp"
#include "models/gcn.hpp"
#include "train/backends.hpp"
#include "train/training.hpp"

namespace edgewise::train {
namespace {

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

}  // namespace

run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using context = models::context<cuda>;
  auto const train =
      options.model == "gat" ? train_once<models::gat<float, context>> : train_once<models::gcn<float, context>>;
  own_stream const stream;
  return train({.stream = stream.get()}, device_memory(), data, options, seed, observe);
}

}  // namespace edgewise::train
