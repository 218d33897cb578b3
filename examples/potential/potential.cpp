// Forces of an interatomic potential on the host.
#include <numeric>
#include <vector>

#include "cluster.hpp"

int main() {
  using namespace potential;
  unsigned seed = 1;
  auto r = draw_positions(seed);
  auto const model = draw_model(seed);
  // [begin run]
  ew::cpu const host{.threads = 1};  // so few atoms are not worth more
  auto const csr = list_neighbors(r);
  auto const csc = ew::to_csc(host, csr);
  auto evaluate = make_potential(host, ew::graph{csr, csc}, atoms, r.data(), model.data());
  std::vector<double> energies(atoms);
  return check_forces(r, [&](std::vector<double> const& positions, std::vector<double>* forces) {
    r = positions;
    evaluate(energies.data(), forces == nullptr ? nullptr : forces->data());
    return std::accumulate(energies.begin(), energies.end(), 0.0);
  });
  // [end run]
}
