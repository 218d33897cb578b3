#include "models/gcn.hpp"
#include "train/backends.hpp"
#include "train/training.hpp"

namespace edgewise::train {

run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using model = models::gcn<float, models::context<cpu>>;
  return train_once<model>({.threads = options.num_threads}, host_memory(), data, options, seed, observe);
}

}  // namespace edgewise::train
