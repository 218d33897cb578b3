// A format from outside the library: every destination has the same number of sources, as nearest neighbors do. The
// skeleton of docs/add_a_format.md.
#pragma once

#include <cstdint>
#include <vector>

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin format]
/// Row v lists the `degree` sources of the edges into v. Rows lie as `grouping_view` says: one after another, from
/// `offsets[v]` on; edge ids are positions.
struct neighbor_lists : ew::grouping_view<> {
  static constexpr char const* name = "neighbor_lists";  // in messages
  static constexpr ew::endpoint grouped_by = ew::endpoint::destination;

  index_type num_destinations() const { return num_rows; }
  index_type num_sources() const { return num_neighbors; }
};
// [end format]

/// What the lists take besides the neighbors, [num_rows + 1].
inline std::vector<int> offsets_of_lists(int num_rows, int degree) {
  std::vector<int> offsets;
  for (int row = 0; row <= num_rows; ++row) offsets.push_back(row * degree);
  return offsets;
}

}  // namespace outside
