// Rows from a queue: whoever is free takes the next.
#pragma once

#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// On a GPU as many blocks as fit it at once stay, and each of their warps takes the next rows when it is done with the
/// last: an atomic counter hands them out. Rows of many edges are cut into pieces. The third work order that Seastar
/// compares (EuroSys 2021, section 6.3 and figure 12); `feature_adaptive_group` leaves the same to the hardware, which
/// starts a block wherever one ends. Which warp takes a row changes from run to run, no bit of a result does.
struct work_queue {
  static constexpr char const* name = "work_queue";
  row_order order = row_order::degree;

  constexpr dynamic_rows split(workload work) const { return {.max_edges = balanced_length(work), .order = order}; }
};

}  // namespace edgewise::inline v0
