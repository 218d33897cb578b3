// The same forces on the device. Exits with 77 without one.
#include <numeric>
#include <vector>

#include <edgewise/edgewise.cuh>

#include "cluster.hpp"

int main() {
  using namespace potential;
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  unsigned seed = 1;
  auto const positions = draw_positions(seed), model = draw_model(seed);
  ew::cuda const device{};  // the default stream and the device's memory pool
  auto const neighbors = list_neighbors(positions);
  auto const csr = ew::to_device(device, neighbors);
  auto const csc = ew::to_device(device, ew::to_csc(ew::cpu{}, neighbors));
  auto r = ew::to_device(device, positions), f = ew::to_device(device, positions);
  std::vector<double> const zeros(atoms);
  auto energies = ew::to_device(device, zeros);
  auto const weights = ew::to_device(device, model);
  auto evaluate = make_potential(device, ew::graph{csr, csc}, atoms, r.data(), weights.data());
  return check_forces(positions, [&](std::vector<double> const& moved, std::vector<double>* forces) {
    ew::check_cuda(cudaMemcpy(r.data(), moved.data(), r.size() * sizeof(double), cudaMemcpyHostToDevice), "copy");
    evaluate(energies.data(), forces == nullptr ? nullptr : f.data());
    if (forces != nullptr) {
      auto const found = ew::to_host(device, f);
      forces->assign(found.begin(), found.end());
    }
    auto const found = ew::to_host(device, energies);
    return std::accumulate(found.begin(), found.end(), 0.0);
  });
}
