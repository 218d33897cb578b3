// Runs and predictions of one model on the current CUDA device: EDGEWISE_MODEL of EDGEWISE_MODEL_HEADER.
#include <edgewise/core/device_memory.cuh>

#include "models/context.cuh"
#include "models/replay.cuh"

#include EDGEWISE_MODEL_HEADER
#include "train/model_runs.hpp"
#include "train/own_stream.cuh"
#include "train/prediction.hpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::models {

// Compiled once for all models (features_on_cuda.cu).
extern template class sparse_product<float, context<cuda>>;

}  // namespace edgewise::models

namespace edgewise::train {

template <class Architecture>
run_record run_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using model = trained_model<Architecture, models::context<cuda>>;
  own_stream const stream;
  return train_once<model>({.stream = stream.get()}, device_memory(), data, options, seed, observe);
}
template run_record run_on_cuda<models::EDGEWISE_MODEL>(task const&, options const&, std::uint64_t,
                                                        epoch_observer const&);

template <class Architecture>
std::vector<float> logits_on_cuda(task const& data, models::saved_model<float> const& saved, sampling const& how) {
  using model = trained_model<Architecture, models::context<cuda>>;
  own_stream const stream;
  return predict_once<model>({.stream = stream.get()}, data, saved, how);
}
template std::vector<float> logits_on_cuda<models::EDGEWISE_MODEL>(task const&, models::saved_model<float> const&,
                                                                   sampling const&);

}  // namespace edgewise::train
