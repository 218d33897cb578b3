// expected-error: graph: offsets and edge ids must be signed integers of 32 or 64 bits
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<std::size_t> const offsets{0, 1, 2};
std::vector<int> const neighbors{1, 0};
auto const made = edgewise::make_csr(edgewise::vertices(2), offsets, neighbors);
