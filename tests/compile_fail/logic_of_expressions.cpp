// expected-error: &&, ||, !: are not of expressions; write a * b for both, maximum(a, b) for either and 1 - a for not
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct x;

auto f() { return ew::gather<ew::sum>(ew::where(ew::src<x> > 0.0 && ew::src<x> < 1.0, ew::src<x>, 0.0)); }
