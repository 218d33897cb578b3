// expected-error: make_csr, make_csc, make_coo: edge ids must have the type of offsets
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<int> const offsets{0, 1, 2}, neighbors{1, 0};
std::vector<unsigned> const ids{1, 0};
auto made = [] { return edgewise::make_csr(edgewise::vertices(2), offsets, neighbors, ids); };
