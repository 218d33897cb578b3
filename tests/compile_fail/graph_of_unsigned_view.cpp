// expected-error: graph: offsets and edge ids must be signed integers of 32 or 64 bits
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<unsigned> const offsets{0, 1, 2};
std::vector<int> const neighbors{1, 0};
edgewise::graph const made{edgewise::csr_view<int, unsigned>{{offsets.data(), neighbors.data(), nullptr, 2, 2, 2}}};
