// Programs of edges, and of kept values of edges, in 16 bits.
#pragma once

#include "edge_cases.hpp"
#include "stash_cases.hpp"

namespace edgewise::testing {

using edge_dot_of_mixed = stored<edge_dot, bfloat16, float, bfloat16, float16>;
using edge_product_in_bfloat16 = stored_as<edge_product, bfloat16>;
using stashed_in_float16 = stored_as<stashed_transformer, float16>;

}  // namespace edgewise::testing
