// Compressed rows grouped by destination: row v lists the sources u of the edges u -> v.
#pragma once

#include <edgewise/format/grouping.hpp>

namespace edgewise {

/// Edges grouped by destination; rows are destinations, neighbors are sources. Non-owning.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct csr_view : grouping_view<Index, Offset> {
  static constexpr endpoint grouped_by = endpoint::destination;

  EDGEWISE_HD Index num_destinations() const { return this->num_rows; }
  EDGEWISE_HD Index num_sources() const { return this->num_neighbors; }
};

}  // namespace edgewise
