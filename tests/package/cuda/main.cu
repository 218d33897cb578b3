#include <cstdio>

#include <edgewise/execute/device_memory.cuh>
#include <edgewise/format/csr.hpp>

__global__ void write_degrees(edgewise::csr_view<> csr, int* degrees) {
  if (threadIdx.x < csr.num_rows) degrees[threadIdx.x] = csr.offsets[threadIdx.x + 1] - csr.offsets[threadIdx.x];
}

// Compiles, links and starts everywhere; counts degrees where there is a device.
int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
    std::puts("built with CUDA; no device to run on");
    return 0;
  }
  int const host_offsets[] = {0, 2, 3, 3};
  int host_degrees[3] = {};
  int *offsets = nullptr, *degrees = nullptr;
  edgewise::check_cuda(cudaMalloc(&offsets, sizeof host_offsets), "cudaMalloc");
  edgewise::check_cuda(cudaMalloc(&degrees, sizeof host_degrees), "cudaMalloc");
  edgewise::check_cuda(cudaMemcpy(offsets, host_offsets, sizeof host_offsets, cudaMemcpyDefault), "cudaMemcpy");
  write_degrees<<<1, 32>>>({{offsets, nullptr, nullptr, 3, 3, 3}}, degrees);
  edgewise::check_cuda(cudaGetLastError(), "write_degrees");
  edgewise::check_cuda(cudaMemcpy(host_degrees, degrees, sizeof host_degrees, cudaMemcpyDefault), "cudaMemcpy");
  cudaFree(offsets);
  cudaFree(degrees);
  return host_degrees[0] == 2 && host_degrees[1] == 1 && host_degrees[2] == 0 ? 0 : 1;
}
