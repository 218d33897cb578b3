// expected-error: fuse: takes (graph{...}, mapping, program)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

void run(ew::csr<> const& csr) { auto const kernel = ew::fuse(csr, ew::automatic{}, ew::gather<ew::sum>(ew::src<h>)); }
