#include <cstdio>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;
struct feature;

// Sums the neighbors' features on the graph 1 -> 0, 2 -> 0, 0 -> 1; row 2 has no edge.
int main() {
  int const offsets[] = {0, 2, 3, 3};
  int const neighbors[] = {1, 2, 0};
  float const features[] = {1, 2, 4};
  float sums[] = {-1, -1, -1};

  ew::csr_view<> const csr{{offsets, neighbors, nullptr, 3, 3, 3}};
  auto const kernel = ew::fuse(ew::graph{csr}, ew::automatic{}, ew::gather<ew::sum>(ew::src<feature>));
  auto const inputs = ew::bindings(ew::bind<feature>(ew::wide(features, 3, 1)));
  kernel.plan(ew::cpu{}, inputs).forward(ew::cpu{}, inputs, ew::out(ew::wide(sums, 3, 1)));

  std::printf("edgewise %d.%d: %g %g %g\n", EDGEWISE_VERSION_MAJOR, EDGEWISE_VERSION_MINOR, sums[0], sums[1], sums[2]);
  return sums[0] == 6 && sums[1] == 1 && sums[2] == 0 ? 0 : 1;
}
