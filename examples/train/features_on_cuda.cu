// The products of sparse features on a CUDA device, which all models begin with.
#include "models/context.cuh"
#include "train/trained_model.hpp"

namespace edgewise::models {

template class sparse_product<float, context<cuda>>;

}  // namespace edgewise::models
