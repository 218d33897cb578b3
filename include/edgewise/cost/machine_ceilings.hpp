// The ceilings of a machine as numbers, and the times that they allow a pass.
#pragma once

#include <algorithm>

#include <edgewise/core/error.hpp>
#include <edgewise/cost/cost.hpp>

namespace edgewise::inline v0 {

/// How fast a machine is, as measured on it: the benchmark's JSON has these numbers (`environment`). 0: not known.
struct machine_ceilings {
  double copy = 0;                ///< bytes per second, read and written; must be known
  double gather_from_memory = 0;  ///< bytes per second of whole rows at random, from a table larger than the cache
  double gather_from_cache = 0;   ///< the same from a table that lies in the last cache
  double cache_bytes = 0;         ///< the size of that cache
  double flops = 0;               ///< float operations per second

  // A table of the cache's size still counts as cached: beyond it the rate falls by and by (docs/tuning.md, R51).
  bool holds(double table_bytes) const { return table_bytes <= cache_bytes; }
  /// The ceiling of a gather from a table of this size.
  double gather(double table_bytes) const { return holds(table_bytes) ? gather_from_cache : gather_from_memory; }
};

/// Milliseconds that a pass takes at least on a machine; 0 where a ceiling is not known.
struct pass_bounds {
  double floor_ms = 0;   ///< compulsory bytes at copy bandwidth
  double gather_ms = 0;  ///< each gathered row once per edge at the ceiling of its table, all else at copy bandwidth
  double flops_ms = 0;

  double roofline_ms() const { return std::max(floor_ms, flops_ms); }
  bool is_bound_by_flops() const { return flops_ms > floor_ms; }
};

/// Throws `invalid_argument` where the copy bandwidth is not positive.
inline pass_bounds bounds_on(machine_ceilings const& machine, plan_cost const& cost) {
  if (!(machine.copy > 0)) {
    throw invalid_argument(
        detail::text("machine_ceilings: copy is ", machine.copy, " bytes a second, it must be more than 0"));
  }
  pass_bounds b{.floor_ms = cost.compulsory_bytes() / machine.copy * 1e3,
                .flops_ms = machine.flops > 0 ? cost.flops() / machine.flops * 1e3 : 0};
  bool is_known = true;
  for (traversal_cost const& t : cost.traversals) {
    double const gathered = t.gather_bytes() - t.streamed_bytes();
    double const ceiling = machine.gather(t.gathered_table_bytes());
    b.gather_ms += t.streamed_bytes() / machine.copy * 1e3;
    if (gathered > 0 && ceiling > 0) b.gather_ms += gathered / ceiling * 1e3;
    is_known = is_known && (gathered <= 0 || ceiling > 0);
  }
  if (!is_known) b.gather_ms = 0;
  return b;
}

/// Measured milliseconds of a plan's passes, to compare with what they take at least; 0: not measured.
struct pass_times {
  double forward_ms = 0;
  double backward_ms = 0;
};

}  // namespace edgewise::inline v0
