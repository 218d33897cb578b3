// expected-error: sum_over: a name marks the sum and not what is summed
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct p;
struct part;

auto const message = ew::sum_over<2>(ew::named<part>(ew::square(ew::edge<p>)));
