#include "softmax_numbers_device_test.hpp"

#include <edgewise/core/scalar.hpp>

#include "support/device.cuh"

namespace edgewise::testing {
namespace {

__global__ void compute(float const* weights, int count, float* reciprocals) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  reciprocals[i] = edgewise::detail::fast_reciprocal(weights[i]);
}

}  // namespace

softmax_numbers softmax_numbers_on_device(std::vector<float> const& weights) {
  auto const input = upload(weights);
  guarded_device_output<float> reciprocals(weights.size());
  int const count = static_cast<int>(weights.size());
  compute<<<static_cast<unsigned>((count + 255) / 256), 256>>>(input.data(), count, reciprocals.data());
  check_cuda(cudaGetLastError(), "softmax_numbers_on_device");
  return {reciprocals.values()};
}

}  // namespace edgewise::testing
