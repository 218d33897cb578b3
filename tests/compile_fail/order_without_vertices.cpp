// expected-error: find_order: takes by_degree{}, reverse_cuthill_mckee{}, metis{} or a type with 'std::vector<Index> vertices_in_order(undirected_graph<Index> const&) const' (format/reorder.hpp)
#include <edgewise/edgewise.hpp>

struct as_stored {};

auto f(edgewise::csr<> const& edges) { return edgewise::find_order(edgewise::cpu{}, edges, as_stored{}); }
