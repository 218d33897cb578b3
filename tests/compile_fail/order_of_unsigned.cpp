// expected-error: graph: vertex ids (sources, destinations, neighbors, orders) must be signed integers of 32 or 64 bits
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<unsigned> const vertices{1, 0};
auto const order = edgewise::make_vertex_order(edgewise::cpu{}, vertices);
