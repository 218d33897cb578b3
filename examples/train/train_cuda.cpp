#include "train/backends.hpp"
#include "train/model_runs.hpp"

namespace edgewise::train {

run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  run_function* run = nullptr;
  for_each_model([&]<class Architecture>(char const* name, type_tag<Architecture>) {
    if (options.model == name) run = &run_on_cuda<Architecture>;
  });
  if (run == nullptr) throw invalid_argument("there is no model " + options.model);
  return run(data, options, seed, observe);
}

}  // namespace edgewise::train
