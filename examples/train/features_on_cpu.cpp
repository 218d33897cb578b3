// The products of sparse features on the host, which all models begin with.
#include "models/context.hpp"
#include "train/trained_model.hpp"

namespace edgewise::models {

template class sparse_product<float, context<cpu>>;

}  // namespace edgewise::models
