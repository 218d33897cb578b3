// Runs of one model on the ranks of MPI: EDGEWISE_MODEL of EDGEWISE_MODEL_HEADER.
#include "models/ranked_context.hpp"

#include EDGEWISE_MODEL_HEADER
#include "train/ranked_runs.hpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::models {

// Compiled once for all models (features_on_mpi.cpp).
extern template class sparse_product<float, ranked_context<mpi_communicator>>;

}  // namespace edgewise::models

namespace edgewise::train {

template <class Architecture>
run_record run_on_ranks(mpi_communicator& comm, ownership const& owners, task const& data, options const& options,
                        std::uint64_t seed, epoch_observer const& observe) {
  using model = trained_model<Architecture, models::ranked_context<mpi_communicator>>;
  return train_once<model>({.threads = options.num_threads}, host_memory(), data, options, seed, observe, comm, owners);
}
template run_record run_on_ranks<models::EDGEWISE_MODEL>(mpi_communicator&, ownership const&, task const&,
                                                         options const&, std::uint64_t, epoch_observer const&);

}  // namespace edgewise::train
