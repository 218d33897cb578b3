// The products of sparse features on the ranks of MPI, which all models begin with.
#include <edgewise/vendor/mpi.hpp>

#include "models/ranked_context.hpp"
#include "train/trained_model.hpp"

namespace edgewise::models {

template class sparse_product<float, ranked_context<mpi_communicator>>;

}  // namespace edgewise::models
