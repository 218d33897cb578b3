// A mapping from outside the library. The skeleton of docs/add_a_mapping.md.
#pragma once

#include <cstdint>

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin mapping]
/// Rows of more than `longest` edges are cut, or of twice the mean degree where that is more; rows of most edges first.
struct short_pieces {
  static constexpr char const* name = "short_pieces";  // in plan.explain()
  std::int64_t longest = 16;

  ew::row_split split(ew::workload work) const {
    std::int64_t const mean = 2 * work.mean_degree();
    return {.max_edges = mean > longest ? mean : longest, .order = ew::row_order::degree};
  }
};
// [end mapping]

}  // namespace outside
