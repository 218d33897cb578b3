// A row in one place: no row is cut, no state goes through memory.
#pragma once

#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// A row belongs to one group of threads, or to several of one warp, which take its edges in parallel and merge on
/// chip. It needs no workspace for pieces; a row of very many edges keeps one warp busy while all others have ended. As
/// in GE-SpMM (Huang et al., SC 2020) and FeatGraph (Hu et al., SC 2020).
struct vertex_balanced {
  static constexpr char const* name = "vertex_balanced";
  row_order order = row_order::stored;

  constexpr row_per_group split(workload) const { return {.order = order}; }
};

}  // namespace edgewise::inline v0
