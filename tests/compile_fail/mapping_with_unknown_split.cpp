// expected-error: mapping: split(workload) returns row_split, row_per_group, dynamic_rows, edge_split or another work_split (mapping/work_split.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct by_tiles {
  static constexpr char const* name = "by_tiles";
  int split(ew::workload) const { return 16; }
};

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, by_tiles{}, ew::gather<ew::sum>(ew::src<h>)); }
