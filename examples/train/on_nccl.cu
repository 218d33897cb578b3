// Runs of one model on the ranks of NCCL: EDGEWISE_MODEL of EDGEWISE_MODEL_HEADER.
#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include "models/context.cuh"

#include EDGEWISE_MODEL_HEADER
#include "train/ranked_runs.hpp"
#include "train/ranked_training.hpp"

namespace edgewise::models {

// Compiled once for all models (features_on_nccl.cu).
extern template class sparse_product<float, ranked_context<nccl_communicator>>;

}  // namespace edgewise::models

namespace edgewise::train {

template run_record run_on_ranks<models::EDGEWISE_MODEL>(cuda const&, nccl_communicator&, ownership const&, task const&,
                                                         options const&, std::uint64_t, epoch_observer const&);

}  // namespace edgewise::train
