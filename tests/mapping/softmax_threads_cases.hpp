// Softmax sums that groups of half the threads take.
#pragma once

#include "mapped.hpp"
#include "program/float16_cases.hpp"

namespace edgewise::testing {

/// A float result shows how it was rounded.
using float_transformer_of_bfloat16 = stored<transformer, float, float, bfloat16, bfloat16, bfloat16>;

}  // namespace edgewise::testing
