// expected-error: softmax: must be a factor of the message of gather<sum>
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;
struct drop;

struct s;

auto const program = ew::gather<ew::sum>(ew::dropout<drop>(ew::exp(ew::softmax(ew::src<s>)), 0.5) * ew::src<h>);

void run(ew::graph<ew::csr_view<>> const& g) { auto const kernel = ew::fuse(g, ew::automatic{}, program); }
