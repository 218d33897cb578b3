// expected-error: reorder: the order must be of the type of the graph's vertex ids
#include <vector>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

void f(ew::csr<> const& edges, std::vector<long> const& vertices) {
  ew::reorder(ew::cpu{}, edges, ew::make_vertex_order(ew::cpu{}, vertices));
}
