// Light and heavy rows by degree: where to cut follows from the degrees themselves.
#pragma once

#include <cstdint>

#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// A row of more edges than a threshold is heavy and is cut into pieces of at most as many edges, which several groups
/// take; light rows have a group each, as with `feature_adaptive_group`. The threshold is a quantile of the degrees of
/// each grouping, `degree_aware{.quantile = 0.999}`, or a number, `degree_aware{.threshold = 128}`. A quantile is
/// raised to the mean degree + 1 where it lies below, so that slots are at most two rows of features per row; a number
/// is taken as it is, for slots of 2 * edges / threshold rows. Reading degrees takes a launch for each grouping and
/// waits for it; plans for a capacity cannot (a number can). Source: "IO-aware GNN layers" (2026), section D.1, whose
/// grid is the quantiles 0.99 and 0.999.
struct degree_aware {
  static constexpr char const* name = "degree_aware";
  double quantile = 0.99;      ///< at 0.99 a hundredth of the rows are heavy
  std::int64_t threshold = 0;  ///< 0: the quantile decides
  row_order order = row_order::stored;

  constexpr degree_use uses_degrees() const { return threshold > 0 ? degree_use::never : degree_use::required; }
  row_split split(degree_histogram const& degrees) const {
    std::int64_t const heavy = degrees.quantile(quantile);
    std::int64_t const least = degrees.work().mean_degree() + 1;
    return {.max_edges = heavy > least ? heavy : least, .order = order};
  }
  constexpr row_split split(workload) const { return {.max_edges = threshold, .order = order}; }
};

}  // namespace edgewise::inline v0
