// expected-error: mapping: needs 'split(workload) const' (mapping/concept.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct by_hand {
  static constexpr char const* name = "by_hand";
};

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, by_hand{}, ew::gather<ew::sum>(ew::src<h>)); }
