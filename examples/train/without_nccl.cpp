// Stands in for nccl_ranks.cu in a build without NCCL or CUDA.
#include <edgewise/core/error.hpp>

#include "train/ranks.hpp"

namespace edgewise::train {

std::unique_ptr<ranks> ranks_on_cuda() {
  throw invalid_argument("--ranks --device cuda: this program was built without NCCL");
}

}  // namespace edgewise::train
