// expected-error: reduce_scatter: only softmax_over_edges is fused
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct w;

auto run() { return ew::reduce_scatter<ew::sum>(ew::edge<w>); }
