// expected-error: fuse: takes (graph{...}, mapping, program)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::graph<ew::csr_view<>> const& g) { auto const kernel = ew::fuse(g, ew::gather<ew::sum>(ew::src<h>)); }
