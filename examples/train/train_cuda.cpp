#include "train/backends.hpp"
#include "train/model_runs.hpp"

namespace edgewise::train {

run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return run_of(options.model, {gcn_on_cuda, gat_on_cuda, gt_on_cuda})(data, options, seed, observe);
}

}  // namespace edgewise::train
