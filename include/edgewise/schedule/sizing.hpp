// Sizes that a schedule is made for: of a grouping that is there, or of all that a plan has room for.
#pragma once

#include <cstdint>

#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0::detail {

/// `exact`: a schedule for this grouping alone, of the smallest size. `capacity`: of a size that the host knows, for
/// every grouping of as many rows and edges; the arrays of the grouping are not read until `rebuild`.
enum class sizing { exact, capacity };

/// Where a schedule has to count the pieces of cut rows itself.
inline constexpr std::int64_t unknown_pieces = -1;

template <class Index, class Offset>
workload workload_of(grouping_view<Index, Offset> const& grouping) {
  return {static_cast<std::int64_t>(grouping.num_rows), static_cast<std::int64_t>(grouping.num_edges)};
}

/// A grouping, and what a mapping is told of it.
template <class Index, class Offset>
struct described_grouping {
  grouping_view<Index, Offset> grouping;
  workload work;
};

}  // namespace edgewise::inline v0::detail
