// Sums and maxima in tiles: with the gradient of the rows that edges read alone, so that both passes are taken in them.
#pragma once

#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "mapped.hpp"

namespace edgewise::testing {

using sum_of_rows = first_set<weighted_sum<operand_kind::per_row>>;
using sum_in_tiles = mapped<sum_of_rows, tiled>;
using sum_of_whole_rows = mapped<sum_of_rows, as_stored>;
using bfloat16_sum_in_tiles = mapped<stored_as<sum_of_rows, bfloat16>, tiled>;

struct max_in_tiles : mapped<extremum_of_weighted<edgewise::max>, tiled> {
  static_assert(has_wide_offsets);
  using gradients = std::tuple<gradient_set<whole<1>>>;
};

}  // namespace edgewise::testing
