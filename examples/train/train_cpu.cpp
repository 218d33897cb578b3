#include "train/backends.hpp"
#include "train/model_runs.hpp"

namespace edgewise::train {

run_record train_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return with_model(options.model, [&]<class Architecture>(type_tag<Architecture>) {
    return run_on_cpu<Architecture>(data, options, seed, observe);
  });
}

std::vector<float> predict_on_cpu(task const& data, models::saved_model<float> const& model, sampling const& how,
                                  int num_threads) {
  return with_model(model.architecture, [&]<class Architecture>(type_tag<Architecture>) {
    return logits_on_cpu<Architecture>(data, model, how, num_threads);
  });
}

}  // namespace edgewise::train
