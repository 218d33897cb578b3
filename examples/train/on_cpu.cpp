// Runs of one model on the host: EDGEWISE_MODEL of EDGEWISE_MODEL_HEADER.
#include EDGEWISE_MODEL_HEADER
#include "models/program_model.hpp"
#include "models/sparse_matrix.hpp"
#include "train/model_runs.hpp"
#include "train/training.hpp"

namespace edgewise::train {

template <class Architecture>
run_record run_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe) {
  using context = models::context<cpu>;
  using model = models::program_model<float, context, Architecture, models::sparse_matrix<float, context>>;
  return train_once<model>({.threads = options.num_threads}, host_memory(), data, options, seed, observe);
}
template run_record run_on_cpu<models::EDGEWISE_MODEL>(task const&, options const&, std::uint64_t,
                                                       epoch_observer const&);

}  // namespace edgewise::train
