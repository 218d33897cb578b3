#include <edgewise/edgewise.cuh>

#include "formulas.hpp"

static_assert(formulas::checks<edgewise::cpu>::ok);
static_assert(formulas::checks<edgewise::cuda>::ok);
// Of one width, for which nvcc takes half a minute less.
template formulas::use_type<edgewise::cuda> formulas::use<edgewise::cuda, edgewise::static_extents<4, 64>>;
