// expected-error: graph: vertex ids (sources, destinations, neighbors, orders) must be signed integers of 32 or 64 bits
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<unsigned> const sources{0, 1};
std::vector<unsigned> const destinations{1, 0};
auto const made = edgewise::make_coo(edgewise::vertices(2), sources, destinations);
