// Rows from a queue: whoever is free takes the next.
#pragma once

#include <edgewise/mapping/deal.hpp>

namespace edgewise {

/// On a GPU as many blocks as fit it at once stay, and each of their warps takes the next rows when it is done with the
/// last: an atomic counter deals them. Rows of many edges are cut into pieces. The third work order that Seastar
/// compares (EuroSys 2021, section 6.3 and figure 12); `feature_adaptive_group` leaves the same to the hardware, which
/// starts a block wherever one ends. Which warp takes a row changes from run to run, no bit of a result does.
struct work_queue {
  static constexpr char const* name = "work_queue";
  row_order order = row_order::degree;

  constexpr queued_rows deal(workload work) const { return {.longest = balanced_length(work), .order = order}; }
};

}  // namespace edgewise
