// A work split from outside the library, and the mapping that gives it. The skeleton of docs/add_a_mapping.md.
#pragma once

#include <cstdint>

#include <edgewise/edgewise.hpp>

#ifdef __CUDACC__
#include <edgewise/schedule/device_schedule.cuh>
#endif

namespace outside {

namespace ew = edgewise;

// [begin split]
/// Rows in the order in which they are stored, cut at `max_edges` edges and nowhere else. CPUs cut at 4096.
struct equal_pieces {
  std::int64_t max_edges = 16;

  static constexpr char const* name = "equal_pieces";  // in the text of policies
  template <class Self, class F>
  static void for_each_number(Self& split, F const& f) {
    f("max_edges", split.max_edges);
  }
  bool operator==(equal_pieces const&) const = default;
};

struct in_equal_pieces {
  static constexpr char const* name = "in_equal_pieces";

  equal_pieces split(ew::workload work) const { return {.max_edges = work.mean_degree() + 1}; }
};
// [end split]

}  // namespace outside

#ifdef __CUDACC__
// [begin schedule]
/// On a device it is carried out by the library's cut rows, and walked by their kernel.
template <class Index, class Offset>
class edgewise::detail::device_schedule<outside::equal_pieces, Index, Offset>
    : public edgewise::detail::device_schedule<edgewise::row_split, Index, Offset> {
  using base = edgewise::detail::device_schedule<edgewise::row_split, Index, Offset>;

public:
  device_schedule() = default;
  device_schedule(stream_handle stream, memory_resource* memory, outside::equal_pieces split,
                  grouping_view<Index, Offset> const& grouping, sizing size, std::int64_t most_slots,
                  std::int64_t num_pieces = unknown_pieces)
      : base(stream, memory, {.max_edges = split.max_edges}, grouping, size, most_slots, num_pieces) {}
};
// [end schedule]
#endif
