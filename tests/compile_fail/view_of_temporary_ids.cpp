// expected-error: view_csr, view_csc, view_coo: an array is a temporary, and the view would dangle
// every-compiler
#include <edgewise/edgewise.hpp>

#include <vector>

namespace ew = edgewise;

auto dangles(std::vector<int> const& offsets, std::vector<int> const& neighbors) {
  return ew::view_csr(ew::vertices(2), offsets, neighbors, std::vector<int>{1, 0});
}
