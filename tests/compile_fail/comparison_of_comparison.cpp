// expected-error: comparison: of a comparison; write (0 < x) * (x < 1) for both
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct x;

auto f() { return ew::gather<ew::sum>(0.0 < ew::src<x> < 1.0); }
