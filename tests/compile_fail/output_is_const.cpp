// expected-error: out: the output is written, its element type cannot be const
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct w;

auto result(float const* data) { return ew::out(ew::wide(data, 3, 2)); }
