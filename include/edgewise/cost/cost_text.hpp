// Costs as text.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

#include <edgewise/cost/cost.hpp>
#include <edgewise/cost/machine_ceilings.hpp>

namespace edgewise::inline v0::detail {

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

/// The passes of a plan, one line per launch.
inline std::string explain_cost(plan_cost const& forward, plan_cost const& backward) {
  std::ostringstream s;
  s << "at least, keeping what backward needs, for all gradients (indices are in the sums):\n";
  for (traversal_cost const& c : forward.traversals) explain_cost(s, c);
  for (traversal_cost const& c : backward.traversals) explain_cost(s, c);
  return s.str();
}

/// Four digits: bounds of small graphs are parts of a microsecond.
inline std::string short_number(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", x);
  return digits;
}
inline std::string giga(double x) { return short_number(x * 1e-9); }

inline void explain_bounds(std::ostream& s, char const* name, plan_cost const& cost, machine_ceilings const& machine) {
  pass_bounds const b = bounds_on(machine, cost);
  s << "  " << name << ": " << short_number(b.floor_ms) << " ms for the compulsory bytes";
  bool from_cache = false, from_memory = false;
  for (traversal_cost const& t : cost.traversals) {
    if (t.edges == 0 || t.gathered_bytes == 0) continue;
    (machine.holds(t.gathered_table_bytes()) ? from_cache : from_memory) = true;
  }
  if ((from_cache || from_memory) && b.gather_ms > 0) {
    s << ", " << short_number(b.gather_ms) << " with each gathered row once an edge, from "
      << (from_cache ? from_memory ? "cache and memory" : "cache" : "memory");
  }
  if (b.flops_ms > 0) s << ", " << short_number(b.flops_ms) << " for the flops";
  s << "; roofline " << short_number(b.roofline_ms()) << " ms by " << (b.is_bound_by_flops() ? "flops" : "bytes")
    << "\n";
}

/// A pass launch by launch, together where there are several launches, and how near to that a measured time is.
inline void explain_pass(std::ostream& s, char const* name, plan_cost const& cost, machine_ceilings const& machine,
                         double measured_ms) {
  for (traversal_cost const& t : cost.traversals) explain_bounds(s, t.name, {.traversals = {t}}, machine);
  if (cost.traversals.size() > 1) explain_bounds(s, detail::joined(name, ", all").c_str(), cost, machine);
  if (!(measured_ms > 0) || cost.traversals.empty()) return;
  pass_bounds const b = bounds_on(machine, cost);
  auto const percent = [&](double ms) { return short_number(std::round(ms / measured_ms * 1e3) / 10) + "%"; };
  s << "  " << name << ", measured: " << short_number(measured_ms) << " ms, " << percent(b.floor_ms) << " of the floor";
  if (b.gather_ms > 0) s << ", " << percent(b.gather_ms) << " of the gather ceiling";
  s << ", " << percent(b.roofline_ms()) << " of the roofline, " << giga(cost.gather_bytes() / measured_ms * 1e3)
    << " GB/s gathered and streamed\n";
}

/// What a machine allows the passes of a plan, one line per launch.
inline std::string explain_bounds(plan_cost const& forward, plan_cost const& backward, machine_ceilings const& machine,
                                  pass_times const& measured) {
  std::ostringstream s;
  s << "at least, at the ceilings of a machine: copy " << giga(machine.copy) << " GB/s";
  if (machine.gather_from_memory > 0) s << ", gather from memory " << giga(machine.gather_from_memory) << " GB/s";
  if (machine.gather_from_cache > 0) {
    s << ", from " << short_number(machine.cache_bytes * 1e-6) << " MB of cache " << giga(machine.gather_from_cache)
      << " GB/s";
  }
  if (machine.flops > 0) s << ", " << giga(machine.flops) << " Gflop/s";
  s << ":\n";
  explain_pass(s, "forward", forward, machine, measured.forward_ms);
  explain_pass(s, "backward", backward, machine, measured.backward_ms);
  return s.str();
}

/// Cost: what a plan's passes take at least, counted as in its `explain()`.
template <class Cost>
std::string explain_bounds(Cost const& cost, machine_ceilings const& machine, pass_times const& measured) {
  using output = typename Cost::default_output;
  return explain_bounds(cost.template forward<output>(true),
                        cost.template backward<output>(typename Cost::every_gradient{}), machine, measured);
}

}  // namespace edgewise::inline v0::detail

namespace edgewise::inline v0 {

/// How long a call takes at least on a machine, and how near to that a measured time is, a line each:
/// `explain(plan.forward_cost(out(y)), machine, milliseconds)`. Throws `invalid_argument` where the copy bandwidth is
/// not positive.
inline std::string explain(plan_cost const& cost, machine_ceilings const& machine, double milliseconds = 0) {
  std::ostringstream s;
  detail::explain_pass(s, "call", cost, machine, milliseconds);
  return s.str();
}

}  // namespace edgewise::inline v0
