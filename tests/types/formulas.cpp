#include "formulas.hpp"

static_assert(formulas::checks<edgewise::cpu>::ok);
template formulas::use_type<edgewise::cpu> formulas::use<edgewise::cpu, edgewise::any_extents>;
