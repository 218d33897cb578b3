#include "exchanges_device_test.hpp"

#include "support/device.cuh"

namespace edgewise::testing {
namespace {

struct exchange_arrays {
  int *neighbor, *neighbor_of_8, *before;
  double* product;
  unsigned *thirds, *same;
  int *any_and_all, *half, *reversed, *order;
  std::int64_t* shared;
  int* counter;
};

__global__ void exchange_numbers(exchange_arrays to) {
  constexpr unsigned all = 0xffffffffu;
  int const x = static_cast<int>(threadIdx.x);
  int const lane = x % 32;
  to.neighbor[x] = __shfl_xor_sync(all, x, 5);
  to.neighbor_of_8[x] = __shfl_sync(all, x, 3, 8);
  to.before[x] = __shfl_up_sync(all, x, 2, 16);
  to.product[x] = __shfl_sync(all, 0.5 * x, 7);
  to.thirds[x] = __ballot_sync(all, x % 3 == 0);
  to.same[x] = __match_any_sync(all, x / 4);
  bool const any = __any_sync(all, x == 40);
  bool const below = __all_sync(all, x < 64);
  to.any_and_all[x] = 2 * any + below;
  int from = -1;
  if (lane < 16) from = __shfl_sync(0x0000ffffu, x, 15 - lane);
  __syncwarp();
  to.half[x] = from;

  __shared__ int numbers[exchange_threads];
  __shared__ unsigned long long sum;
  numbers[x] = x;
  if (x == 0) sum = 0;
  __syncthreads();
  to.reversed[x] = numbers[exchange_threads - 1 - x];
  atomicAdd(&sum, static_cast<unsigned long long>(x));
  to.order[x] = atomicAdd(to.counter, 1);
  __syncthreads();
  to.shared[x] = static_cast<std::int64_t>(sum);
}

__global__ void copy_numbers(float const* from, int count, float* to) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = __ldg(from + i);
}

}  // namespace

exchanged exchange_on_device() {
  device_stream stream;
  guarded_device_output<int> neighbor(exchange_threads), neighbor_of_8(exchange_threads), before(exchange_threads);
  guarded_device_output<double> product(exchange_threads);
  guarded_device_output<unsigned> thirds(exchange_threads), same(exchange_threads);
  guarded_device_output<int> any_and_all(exchange_threads), half(exchange_threads), reversed(exchange_threads),
      order(exchange_threads);
  guarded_device_output<std::int64_t> shared(exchange_threads);
  auto const counter = upload(std::vector<int>{0});
  exchange_arrays const to{neighbor.data(), neighbor_of_8.data(), before.data(),      product.data(),
                           thirds.data(),   same.data(),          any_and_all.data(), half.data(),
                           reversed.data(), order.data(),         shared.data(),      counter.data()};
  exchange_numbers<<<1, exchange_threads, 0, stream.get()>>>(to);
  check_cuda(cudaGetLastError(), "exchange_numbers");
  return {neighbor.values(), neighbor_of_8.values(), before.values(),      product.values(),
          thirds.values(),   same.values(),          any_and_all.values(), half.values(),
          reversed.values(), order.values(),         shared.values()};
}

std::vector<float> copy_on_device(std::vector<float> const& values, int blocks) {
  device_stream stream;
  auto const from = upload(values);
  guarded_device_output<float> to(values.size());
  int const count = static_cast<int>(values.size());
  copy_numbers<<<blocks, 64, 0, stream.get()>>>(from.data(), count, to.data());
  check_cuda(cudaGetLastError(), "copy_numbers");
  return to.values();
}

}  // namespace edgewise::testing
