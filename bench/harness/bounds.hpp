// How fast the machine could be: its ceilings, measured in the run that they judge, and the times that they allow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <edgewise/cost/cost.hpp>

namespace edgewise::bench {

/// Bytes per second of reading whole rows at random from a table.
struct gather_ceiling {
  std::int64_t table_rows = 0;
  std::int64_t row_bytes = 0;
  double bandwidth = 0;
};

struct ceilings {
  double copy_bandwidth = 0;  ///< bytes read and written per second
  double flops = 0;           ///< float operations per second; 0 where it is not measured
  std::function<double(std::int64_t table_rows, std::int64_t row_bytes)> gather;  ///< empty where it is not measured
};

/// One launch of a plan as a result file keeps it.
struct bounded_traversal {
  std::string name;
  double streamed_bytes = 0;  ///< indices, rows, edges: what is read in order, or written
  double gathered_bytes = 0;  ///< rows of neighbors, once per edge
  double table_bytes = 0;     ///< what they are gathered from
  double flops = 0;
  double gather_bandwidth = 0;  ///< the ceiling of rows of this width from a table of this size
};

/// Milliseconds that a cost takes at the ceilings; 0 where a ceiling is not known.
struct time_bounds {
  double floor_ms = 0;     ///< compulsory bytes at copy bandwidth
  double gather_ms = 0;    ///< gathered rows, once per edge, at their ceiling; all else at copy bandwidth
  double roofline_ms = 0;  ///< the larger of floor and flops
  std::vector<bounded_traversal> traversals;
};

inline time_bounds bounds_of(plan_cost const& cost, ceilings const& machine) {
  time_bounds b;
  b.floor_ms = cost.compulsory_bytes() / machine.copy_bandwidth * 1e3;
  b.roofline_ms = std::max(b.floor_ms, machine.flops > 0 ? cost.flops() / machine.flops * 1e3 : 0);
  for (traversal_cost const& t : cost.traversals) {
    bounded_traversal one{.name = t.name,
                          .streamed_bytes = t.streamed_bytes(),
                          .gathered_bytes = t.gather_bytes() - t.streamed_bytes(),
                          .table_bytes = t.gathered_table_bytes(),
                          .flops = t.flops()};
    if (machine.gather) {
      double seconds = one.streamed_bytes / machine.copy_bandwidth;
      if (one.gathered_bytes > 0) {
        one.gather_bandwidth = machine.gather(t.neighbors, static_cast<std::int64_t>(t.gathered_bytes));
        seconds += one.gathered_bytes / one.gather_bandwidth;
      }
      b.gather_ms += seconds * 1e3;
    }
    b.traversals.push_back(one);
  }
  return b;
}

}  // namespace edgewise::bench
