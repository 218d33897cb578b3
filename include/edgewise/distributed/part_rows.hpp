// Rows of a part of a graph, whose destinations and sources are numbered apart.
#pragma once

#include <edgewise/format/csr.hpp>

namespace edgewise::inline v0 {

/// A csr of some destinations of a graph. Their numbers say nothing about sources: a virtual self edge reads what is
/// bound for the destination.
template <class Index, class Offset>
struct part_rows_view : csr_view<Index, Offset> {
  static constexpr bool is_part = true;
};

}  // namespace edgewise::inline v0
