// expected-error: gather: a number is no message
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

auto const program = ew::gather<ew::sum>(6.0);
