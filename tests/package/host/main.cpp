#include <cstdio>

#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/version.hpp>

// Sums the neighbors' numbers of every row of the graph 1 -> 0, 2 -> 0, 0 -> 1; row 2 has no edge.
int main() {
  int const offsets[] = {0, 2, 3, 3};
  int const neighbors[] = {1, 2, 0};
  edgewise::csr_view<> const csr{{offsets, neighbors, nullptr, 3, 3, 3}};
  edgewise::graph const graph{csr};

  int sums[3] = {};
  for (int row = 0; row < graph.first.num_destinations(); ++row) {
    for (int k = csr.offsets[row]; k < csr.offsets[row + 1]; ++k) sums[row] += csr.neighbors[k];
  }
  std::printf("edgewise %d.%d: %d %d %d\n", EDGEWISE_VERSION_MAJOR, EDGEWISE_VERSION_MINOR, sums[0], sums[1], sums[2]);
  return sums[0] == 3 && sums[1] == 0 && sums[2] == 0 ? 0 : 1;
}
