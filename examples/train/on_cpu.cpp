// Runs and predictions of one model on the host: EDGEWISE_MODEL of EDGEWISE_MODEL_HEADER.
#include EDGEWISE_MODEL_HEADER
#include "train/model_runs.hpp"
#include "train/prediction.hpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::models {

// Compiled once for all models (features_on_cpu.cpp).
extern template class sparse_product<float, context<cpu>>;

}  // namespace edgewise::models

namespace edgewise::train {

template <class Architecture>
run_record run_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using model = trained_model<Architecture, models::context<cpu>>;
  return train_once<model>({.threads = options.num_threads}, host_memory(), data, options, seed, observe);
}
template run_record run_on_cpu<models::EDGEWISE_MODEL>(task const&, options const&, std::uint64_t,
                                                       epoch_observer const&);

template <class Architecture>
std::vector<float> logits_on_cpu(task const& data, models::saved_model<float> const& saved, sampling const& how,
                                 int num_threads) {
  using model = trained_model<Architecture, models::context<cpu>>;
  return predict_once<model>({.threads = num_threads}, data, saved, how);
}
template std::vector<float> logits_on_cpu<models::EDGEWISE_MODEL>(task const&, models::saved_model<float> const&,
                                                                  sampling const&, int);

}  // namespace edgewise::train
