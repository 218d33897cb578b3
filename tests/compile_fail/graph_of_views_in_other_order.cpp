// expected-error: graph: the csr comes first, graph{csr, csc}
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

void run(ew::csr_view<> const& csr, ew::csc_view<> const& csc) { ew::graph const g{csc, csr}; }
