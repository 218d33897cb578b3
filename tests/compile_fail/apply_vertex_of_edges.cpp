// expected-error: apply_vertex: takes values of vertices, not of edges
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

auto run() { return ew::apply_vertex(ew::operation::multiply{}, ew::scatter(ew::src<h>), 2.0); }
