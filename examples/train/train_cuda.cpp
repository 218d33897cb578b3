#include "train/backends.hpp"
#include "train/model_runs.hpp"

namespace edgewise::train {

run_record train_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  return with_model(options.model, [&]<class Architecture>(type_tag<Architecture>) {
    return run_on_cuda<Architecture>(data, options, seed, observe);
  });
}

std::vector<float> predict_on_cuda(task const& data, models::saved_model<float> const& model, sampling const& how) {
  return with_model(model.architecture, [&]<class Architecture>(type_tag<Architecture>) {
    return logits_on_cuda<Architecture>(data, model, how);
  });
}

}  // namespace edgewise::train
