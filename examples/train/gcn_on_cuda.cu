#include "models/gcn.hpp"
#include "train/model_runs.hpp"
#include "train/run_on_cuda.cuh"

namespace edgewise::train {

run_record gcn_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return run_on_cuda<models::gcn>(data, options, seed, observe);
}

}  // namespace edgewise::train
