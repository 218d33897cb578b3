// expected-error: program: holds no gather; write gather<sum>(message)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto run(ew::graph<ew::csr_view<>> const& g) { return ew::fuse(g, ew::automatic{}, ew::edge<w> * ew::src<h>); }
