// Costs as text.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

#include <edgewise/execute/cost.hpp>

namespace edgewise::detail {

/// Counts are kept as double, since products of them may exceed 64 bits; they are printed whole.
inline std::int64_t whole_number(double x) { return std::llround(x); }

inline void explain_cost(std::ostream& s, traversal_cost const& c) {
  s << "  " << c.name << ": ";
  if (c.edges > 0) {
    double const of_edge = c.edge_bytes + c.gathered_bytes;
    s << whole_number(of_edge) << " bytes an edge, " << whole_number(c.gathered_bytes) << " of them gathered, "
      << whole_number(c.edge_flops) << " flops; ";
  }
  s << whole_number(c.row_bytes) << " bytes a row, " << whole_number(c.row_flops) << " flops; all "
    << whole_number(c.gather_bytes()) << " bytes";
  if (c.gathered_bytes > 0) s << ", " << whole_number(c.compulsory_bytes()) << " where a gathered row is read once";
  s << ", " << whole_number(c.flops()) << " flops\n";
}

/// The passes of a plan, a line a launch.
inline std::string explain_cost(plan_cost const& forward, plan_cost const& backward) {
  std::ostringstream s;
  s << "at least, keeping what backward needs, for all gradients (indices are in the sums):\n";
  for (traversal_cost const& c : forward.traversals) explain_cost(s, c);
  for (traversal_cost const& c : backward.traversals) explain_cost(s, c);
  return s.str();
}

}  // namespace edgewise::detail
