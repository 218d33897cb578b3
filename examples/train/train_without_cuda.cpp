// Stands in for train_cuda.cpp in a build without CUDA.
#include <edgewise/core/error.hpp>

#include "train/backends.hpp"

namespace edgewise::train {

namespace {

[[noreturn]] void refuse() { throw invalid_argument("--device cuda: this program was built without CUDA"); }

}  // namespace

run_record train_on_cuda(task const&, options const&, std::uint64_t, epoch_observer const&) { refuse(); }

std::vector<float> predict_on_cuda(task const&, models::saved_model<float> const&, sampling const&) { refuse(); }

}  // namespace edgewise::train
