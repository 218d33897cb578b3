// expected-error: max: is a gather, gather<max>(x); the larger of two is maximum(a, b)
// every-compiler
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct x;
struct y;

auto f() { return ew::gather<ew::sum>(ew::max(ew::src<x>, ew::dst<y>)); }
