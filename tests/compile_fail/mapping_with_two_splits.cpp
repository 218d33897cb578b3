// expected-error: mapping: uses_degrees() returns degree_use, and goes with a split(degree_histogram const&) of the same type
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

struct mine {
  static constexpr char const* name = "mine";
  ew::degree_use uses_degrees() const { return ew::degree_use::required; }
  ew::row_split split(ew::workload) const { return {}; }
  ew::row_per_group split(ew::degree_histogram const&) const { return {}; }
};

void run(ew::graph<ew::csr_view<>> const& g, float* data) {
  auto const in = ew::bindings(ew::bind<h>(ew::wide(data, 3, 2)));
  auto const plan = ew::fuse(g, mine{}, ew::gather<ew::sum>(ew::src<h>)).plan(ew::cpu{}, in);
}
