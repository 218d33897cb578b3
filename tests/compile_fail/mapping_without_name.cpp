// expected-error: mapping: needs 'static constexpr char const* name' (mapping/concept.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct nameless {
  ew::row_per_group split(ew::workload) const { return {}; }
};

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, nameless{}, ew::gather<ew::sum>(ew::src<h>)); }
