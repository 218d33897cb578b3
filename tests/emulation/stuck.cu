// Kernels that are wrong on purpose: the emulated device says what, and aborts.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

namespace {

/// Threads of a warp exchange at two places.
__global__ void miss_each_other(int* to) {
  int x = static_cast<int>(threadIdx.x);
  if (x < 16) {
    x = __shfl_xor_sync(0xffffffffu, x, 1);
  } else {
    x = __shfl_xor_sync(0xffffffffu, x, 2);
  }
  to[threadIdx.x] = x;
}
/// A thread that has returned is read.
__global__ void read_who_left(int* to) {
  if (threadIdx.x == 7) return;
  to[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 7);
}
/// One warp waits for the block, the other for itself.
__global__ void wait_for_nobody(int* to) {
  if (threadIdx.x < 32) __syncthreads();
  if (threadIdx.x == 40) __syncwarp(0xffffffffu);
  if (threadIdx.x > 40) __syncthreads();
  to[threadIdx.x] = 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int* to = nullptr;
  if (cudaMalloc(&to, 64 * sizeof(int)) != cudaSuccess) return 2;
  if (std::strcmp(argv[1], "places") == 0) miss_each_other<<<1, 32>>>(to);
  if (std::strcmp(argv[1], "returned") == 0) read_who_left<<<1, 32>>>(to);
  if (std::strcmp(argv[1], "block") == 0) wait_for_nobody<<<1, 64>>>(to);
  cudaFree(to);
  std::puts("nothing was found");
}
