// Quickstart on the device: the program of quickstart.cpp, with its arrays in device memory. Exits with 77 without one.
#include <cmath>
#include <cstddef>
#include <iostream>

#include <edgewise/edgewise.cuh>

#include "gate.hpp"

namespace {

namespace ew = edgewise;
using quickstart::b;
using quickstart::h;
using quickstart::w;

double sum(ew::host_buffer<double> const& values) {
  double total = 0;
  for (double value : values) total += value;
  return total;
}

}  // namespace

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  ew::cuda const device{};  // the default stream and the device's memory pool
  auto const club = ew::karate_club();
  auto const csr = ew::to_device(device, ew::to_csr(ew::cpu{}, club.edges));
  auto const csc = ew::to_device(device, ew::to_csc(ew::cpu{}, club.edges));
  ew::graph const graph{csr, csc};

  int const vertices = 34, edges = 156, channels = 8;
  ew::host_buffer<double> features(vertices * channels, ew::host_memory()),
      ones(vertices * channels, ew::host_memory());
  ew::host_buffer<double> weights(edges, ew::host_memory()), bias(channels, ew::host_memory());
  for (std::size_t i = 0; i < features.size(); ++i) features[i] = std::sin(1.0 + static_cast<double>(i));
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = std::cos(static_cast<double>(e));
  for (double& value : ones) value = 1.0;
  for (double& value : bias) value = 0.1;
  auto const H = ew::to_device(device, features), dout = ew::to_device(device, ones), B = ew::to_device(device, bias);
  auto W = ew::to_device(device, weights);
  auto out = ew::to_device(device, ones), dH = ew::to_device(device, features);
  auto dW = ew::to_device(device, weights), dB = ew::to_device(device, bias);

  auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), vertices, channels)),
                               ew::bind<w>(ew::per_row(W.data(), edges)), ew::bind<b>(ew::wide(B.data(), 1, channels)));
  auto const plan = ew::fuse(graph, ew::automatic{}, quickstart::program).plan(device, in);
  auto saved = plan.make_saved(device);
  plan.forward(device, in, ew::out(ew::wide(out.data(), vertices, channels)), saved);
  plan.backward(device, in, saved, ew::grad_out(ew::wide(dout.data(), vertices, channels)),
                ew::grad<h>(ew::wide(dH.data(), vertices, channels)), ew::grad<w>(ew::per_row(dW.data(), edges)),
                ew::grad<b>(ew::wide(dB.data(), 1, channels)));
  std::cout << plan.explain();

  double const gradient = ew::to_host(device, dW)[5], weight = weights[5], step = 1e-5;
  auto const output_at = [&](double value) {
    ew::check_cuda(cudaMemcpy(W.data() + 5, &value, sizeof(double), cudaMemcpyHostToDevice), "copy a weight");
    plan.forward(device, in, ew::out(ew::wide(out.data(), vertices, channels)));
    return sum(ew::to_host(device, out));
  };
  double const difference = (output_at(weight + step) - output_at(weight - step)) / (2 * step);
  std::cout << "gradient of w[5]: " << gradient << ", finite difference: " << difference << "\n";
  return std::abs(gradient - difference) < 1e-6 * std::abs(difference) ? 0 : 1;
}
