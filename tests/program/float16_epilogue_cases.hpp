// Epilogues, self edges and cut rows in 16 bits.
#pragma once

#include "epilogue_cases.hpp"
#include "float16_cases.hpp"
#include "mapping/mapped.hpp"
#include "with_self_cases.hpp"

namespace edgewise::testing {

using relu_of_mixed = stored<relu_of_biased_sum, float16, float, bfloat16, float16, float>;
using attention_layer_in_bfloat16 = stored_as<attention_layer, bfloat16>;
using gat_with_self_in_float16 = stored_as<gat_with_self, float16>;
using shared_sum_in_bfloat16 = mapped<stored_as<weighted_rows, bfloat16>, by_edges>;

}  // namespace edgewise::testing
