// The products of sparse features on the ranks of NCCL, which all models begin with.
#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include "models/context.cuh"
#include "models/ranked_context.hpp"
#include "train/trained_model.hpp"

namespace edgewise::models {

template class sparse_product<float, ranked_context<nccl_communicator>>;

}  // namespace edgewise::models
