#include "models/gat.hpp"
#include "models/gcn.hpp"
#include "train/backends.hpp"
#include "train/training.hpp"

namespace edgewise::train {

run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using context = models::context<cpu>;
  auto const train =
      options.model == "gat" ? train_once<models::gat<float, context>> : train_once<models::gcn<float, context>>;
  return train({.threads = options.num_threads}, host_memory(), data, options, seed, observe);
}

}  // namespace edgewise::train
