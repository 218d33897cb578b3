// expected-error: graph: vertex ids (sources, destinations, neighbors, orders) must be signed integers of 32 or 64 bits
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<int> const offsets{0, 1, 2};
std::vector<short> const neighbors{1, 0};
auto const made = edgewise::make_csc(edgewise::vertices(2), offsets, neighbors);
