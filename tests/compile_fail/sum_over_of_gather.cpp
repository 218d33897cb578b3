// expected-error: sum_over: sums the components of operands; gather, scatter, with_self and softmax belong around it
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct p;

auto const program = ew::sum_over<2>(ew::gather<ew::sum>(ew::edge<p>));
