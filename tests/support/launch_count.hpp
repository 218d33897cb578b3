// What a call launched, by kind.
#pragma once

#include <ostream>

namespace edgewise::testing {

struct launch_count {
  int traversals = 0;     ///< walks over edges
  int vertex_stages = 0;  ///< passes over vertices alone
  int folds = 0;          ///< of a parameter's partial sums
  int other_kernels = 0;
  int clears = 0;  ///< memory sets
  int others = 0;  ///< copies, allocations, host functions: nothing of the kind is expected

  bool operator==(launch_count const&) const = default;
  friend std::ostream& operator<<(std::ostream& s, launch_count const& c) {
    return s << c.traversals << " traversals, " << c.vertex_stages << " vertex stages, " << c.folds << " folds, "
             << c.other_kernels << " other kernels, " << c.clears << " clears, " << c.others << " others";
  }
};

}  // namespace edgewise::testing
