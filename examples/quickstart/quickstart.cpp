// Quickstart on the host: a message of your own on the karate club, fused forward and backward, its gradient checked.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

#include "gate.hpp"

namespace {

namespace ew = edgewise;
using quickstart::b;
using quickstart::h;
using quickstart::w;

double sum(std::vector<double> const& values) {
  double total = 0;
  for (double value : values) total += value;
  return total;
}

}  // namespace

int main() {
  // [begin run]
  auto const club = ew::karate_club();
  auto const csr = ew::to_csr(ew::cpu{}, club.edges);  // edges grouped by destination: the forward pass
  auto const csc = ew::to_csc(ew::cpu{}, club.edges);  // and by source: gradients of what sources hold
  ew::graph const graph{csr, csc};

  int const vertices = 34, edges = 156, channels = 8;
  std::vector<double> H(vertices * channels), W(edges), B(channels, 0.1);  // features, weights, bias
  for (std::size_t i = 0; i < H.size(); ++i) H[i] = std::sin(1.0 + static_cast<double>(i));
  for (std::size_t e = 0; e < W.size(); ++e) W[e] = std::cos(static_cast<double>(e));
  std::vector<double> out(vertices * channels), dout(vertices * channels, 1.0), dH(H.size()), dW(W.size()),
      dB(B.size());

  auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), vertices, channels)),
                               ew::bind<w>(ew::per_row(W.data(), edges)), ew::bind<b>(ew::wide(B.data(), 1, channels)));
  auto const plan = ew::fuse(graph, ew::automatic{}, quickstart::program).plan(ew::cpu{}, in);
  auto saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), vertices, channels)), saved);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), vertices, channels)),
                ew::grad<h>(ew::wide(dH.data(), vertices, channels)), ew::grad<w>(ew::per_row(dW.data(), edges)),
                ew::grad<b>(ew::wide(dB.data(), 1, channels)));
  // [end run]
  std::cout << plan.explain();

  // dout is 1 everywhere, so dW holds the derivatives of sum(out): compare one with a central difference.
  double const weight = W[5], step = 1e-5;
  W[5] = weight + step;
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), vertices, channels)));  // inference: nothing is kept
  double const above = sum(out);
  W[5] = weight - step;
  plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), vertices, channels)));
  double const difference = (above - sum(out)) / (2 * step);
  std::cout << "gradient of w[5]: " << dW[5] << ", finite difference: " << difference << "\n";
  return std::abs(dW[5] - difference) < 1e-6 * std::abs(difference) ? 0 : 1;
}
