// What a plan says of itself: GAT on the karate club, with a bias and an activation above.
#include <iostream>
#include <vector>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;   // features
struct el;  // scores of sources
struct er;  // and of destinations
struct b;   // bias

int main() {
  auto const club = ew::karate_club();
  auto const csr = ew::to_csr(ew::cpu{}, club.edges);
  auto const csc = ew::to_csc(ew::cpu{}, club.edges);
  int const vertices = 34, heads = 4, channels = 8;
  std::vector<float> H(vertices * heads * channels), EL(vertices * heads), ER(vertices * heads), B(heads * channels);

  // [begin explain]
  auto const weight = ew::softmax(ew::leaky_relu(ew::src<el> + ew::dst<er>, 0.2));
  auto const program = ew::elu(ew::gather<ew::sum>(weight * ew::src<h>) + ew::param<b>);
  auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), vertices, heads, channels)),
                               ew::bind<el>(ew::per_head(EL.data(), vertices, heads)),
                               ew::bind<er>(ew::per_head(ER.data(), vertices, heads)),
                               ew::bind<b>(ew::wide(B.data(), 1, heads, channels)));
  std::cout << ew::fuse(ew::graph{csr, csc}, ew::automatic{}, program).plan(ew::cpu{}, in).explain();
  // [end explain]
}
