// expected-error: pow: takes a number as power
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct h;
struct w;

auto const message = ew::pow(ew::src<h>, ew::edge<w>);
