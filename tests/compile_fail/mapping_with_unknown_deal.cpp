// expected-error: mapping: deal(workload) returns row_pieces, whole_rows, queued_rows or edge_shares (mapping/deal.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct by_tiles {
  static constexpr char const* name = "by_tiles";
  int deal(ew::workload) const { return 16; }
};

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, by_tiles{}, ew::gather<ew::sum>(ew::src<h>)); }
