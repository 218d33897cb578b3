// A sum of weighted neighbors and its gradients, on the host.
// [begin program]
#include <edgewise/edgewise.hpp>
#include <iostream>
#include <vector>

namespace ew = edgewise;

struct h;  // names of operands: features of vertices
struct w;  // weights of edges

int main() {
  std::vector<int> const sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};  // edge e: sources[e] -> destinations[e]
  auto const edges = ew::make_coo(ew::vertices(3), sources, destinations);
  auto const csr = ew::to_csr(ew::cpu{}, edges);  // for the forward pass
  auto const csc = ew::to_csc(ew::cpu{}, edges);  // for gradients of sources
  std::vector<float> const H{1, 2, 3, 4, 5, 6}, W{1, 1, 1, 0.5f};
  std::vector<float> out(6), dout(6, 1), dH(6), dW(4);

  auto const program = ew::gather<ew::sum>(ew::edge<w> * ew::src<h>);
  auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)));
  auto const plan = ew::fuse(ew::graph{csr, csc}, ew::automatic{}, program).plan(ew::cpu{}, in);
  auto saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)), ew::grad<h>(ew::wide(dH.data(), 3, 2)),
                ew::grad<w>(ew::per_row(dW.data(), 4)));
  for (float const x : out) std::cout << x << ' ';  // 0.5 1 6 8 3 4
  for (float const x : dW) std::cout << x << ' ';   // 3 7 11 3
}
// [end program]
