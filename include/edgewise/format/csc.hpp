// Compressed rows grouped by source: row u lists the destinations v of the edges u -> v.
#pragma once

#include <edgewise/format/grouping.hpp>

namespace edgewise {

/// Edges grouped by source; rows are sources, neighbors are destinations. Non-owning.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct csc_view : grouping_view<Index, Offset> {
  static constexpr endpoint grouped_by = endpoint::source;

  EDGEWISE_HD Index num_destinations() const { return this->num_neighbors; }
  EDGEWISE_HD Index num_sources() const { return this->num_rows; }
};

}  // namespace edgewise
