#include "train/backends.hpp"
#include "train/model_runs.hpp"

namespace edgewise::train {

run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return run_of(options.model, {gcn_on_cpu, gat_on_cpu, gt_on_cpu})(data, options, seed, observe);
}

}  // namespace edgewise::train
