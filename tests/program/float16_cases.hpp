// Cases stored in 16 bits and in a mixture of types.
#pragma once

#include "attention_cases.hpp"
#include "gather/max_cases.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"

namespace edgewise::testing {

using weighted_rows = weighted_sum<operand_kind::per_row>;
using weighted_heads = weighted_sum<operand_kind::per_head>;
using largest_weighted = extremum_of_weighted<edgewise::max>;
using smallest_neighbor = extremum_of_neighbors<edgewise::min>;

// Alike: everything in one 16-bit type. Mixed: stored<case, output, gradients, operands...>.
struct sum_in_bfloat16 : stored_as<weighted_rows, bfloat16> {
  using gradients = weighted_rows::gradients;  // also one by one, and added to what is there
};
using sum_in_float16 = stored_as<weighted_rows, float16>;
using float_sum_of_bfloat16 = stored<weighted_rows, float, float, bfloat16, bfloat16>;
using float_sum_of_float16 = stored<weighted_rows, float, float, float16, float16>;
using bfloat16_sum_of_float_weights = stored<weighted_rows, bfloat16, bfloat16, float, bfloat16>;
using float_sum_of_mixed = stored<weighted_heads, float, bfloat16, float16, bfloat16>;
using float16_sum_of_floats = stored<weighted_rows, float16, float, float, float>;

using mean_in_float16 = stored_as<mean_of_weighted, float16>;
using mean_of_mixed = stored<mean_of_weighted, bfloat16, float, float, bfloat16>;
using largest_of_mixed = stored<largest_weighted, float16, bfloat16, bfloat16, float16>;
using smallest_in_bfloat16 = stored_as<smallest_neighbor, bfloat16>;
using product_in_bfloat16 = stored_as<product_of_weighted, bfloat16>;
using product_of_mixed = stored<product_of_weighted, float16, float, float16, bfloat16>;
using deviation_in_float16 = stored_as<deviation_of_weighted, float16>;
using deviation_of_mixed = stored<deviation_of_activated, float, bfloat16, bfloat16, float16>;

using transformer_in_bfloat16 = stored_as<transformer, bfloat16>;
using transformer_in_float16 = stored_as<transformer, float16>;
using transformer_of_mixed = stored<transformer, float, float, float16, float16, bfloat16>;
using gat_in_bfloat16 = stored_as<gat, bfloat16>;
using gat_in_float16 = stored_as<gat, float16>;
using gat_of_mixed = stored<gat, bfloat16, float, float, float, bfloat16>;
using gatv2_in_bfloat16 = stored_as<gatv2, bfloat16>;
using gatv2_in_float16 = stored_as<gatv2, float16>;
using gatv2_of_mixed = stored<gatv2, float16, bfloat16, float, float16, bfloat16>;

}  // namespace edgewise::testing
