// The models that are trained: of single precision, their features sparse.
#pragma once

#include "models/program_model.hpp"
#include "models/sparse_matrix.hpp"

namespace edgewise::train {

template <class Architecture, class Context>
using trained_model = models::program_model<float, Context, Architecture, models::sparse_matrix<float, Context>>;

}  // namespace edgewise::train
