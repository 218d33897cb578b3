#include <cstdio>

#include <edgewise/edgewise.cuh>

namespace ew = edgewise;
struct feature;

// The graph 1 -> 0, 2 -> 0, 0 -> 1 with three features; row 2 has no edge.
struct arrays {
  int offsets[4] = {0, 2, 3, 3};
  int neighbors[3] = {1, 2, 0};
  float features[3] = {1, 2, 4};
  float sums[3] = {-1, -1, -1};
};

// Compiles, links and starts everywhere; sums the neighbors' features where there is a device.
int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::puts("built with CUDA; no device to run on");
    return 0;
  }
  arrays host;
  arrays* device = nullptr;
  ew::check_cuda(cudaMalloc(&device, sizeof host), "cudaMalloc");
  ew::check_cuda(cudaMemcpy(device, &host, sizeof host, cudaMemcpyDefault), "cudaMemcpy");

  ew::csr_view<> const csr{{device->offsets, device->neighbors, nullptr, 3, 3, 3}};
  auto const kernel = ew::fuse(ew::graph{csr}, ew::automatic{}, ew::gather<ew::sum>(ew::src<feature>));
  auto const inputs = ew::bindings(ew::bind<feature>(ew::wide<float const>(device->features, 3, 1)));
  kernel.plan(ew::cuda{}, inputs).forward(ew::cuda{}, inputs, ew::out(ew::wide(device->sums, 3, 1)));

  ew::check_cuda(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDefault), "cudaMemcpy");
  cudaFree(device);
  std::printf("%g %g %g\n", host.sums[0], host.sums[1], host.sums[2]);
  return host.sums[0] == 6 && host.sums[1] == 1 && host.sums[2] == 0 ? 0 : 1;
}
