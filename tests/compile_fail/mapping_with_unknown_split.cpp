// expected-error: mapping: split(workload) returns row_split, row_per_group, dynamic_rows, edge_split or another work_split, with a name, a for_each_number over std::int64_t, and ==
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct by_tiles {
  static constexpr char const* name = "by_tiles";
  int split(ew::workload) const { return 16; }
};

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, by_tiles{}, ew::gather<ew::sum>(ew::src<h>)); }
