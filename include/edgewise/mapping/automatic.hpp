// The mapping that the library chooses.
#pragma once

#include <edgewise/mapping/feature_adaptive_group.hpp>

namespace edgewise {

/// The library chooses the mapping for the graph and the program: `feature_adaptive_group`, rows as stored.
struct automatic {
  static constexpr char const* name = "automatic";

  constexpr row_pieces deal(grouping_size size) const { return feature_adaptive_group{}.deal(size); }
};

}  // namespace edgewise
