// expected-error: graph: csr and csc must have the same types of vertex ids and of offsets
#include <vector>

#include <edgewise/edgewise.hpp>

std::vector<int> const offsets{0, 1, 2}, neighbors{1, 0};
std::vector<long> const wide_offsets{0, 1, 2};
auto const csr = edgewise::make_csr(edgewise::vertices(2), offsets, neighbors);
auto const csc = edgewise::make_csc(edgewise::vertices(2), wide_offsets, neighbors);
edgewise::graph const made{csr, csc};
