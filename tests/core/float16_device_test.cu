#include "float16_device_test.hpp"

#include "support/device.cuh"

namespace edgewise::testing {
namespace {

template <class T>
__global__ void round_one_by_one(float const* values, int count, std::uint16_t* to) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = T(values[i]).bits;
}
template <class T>
__global__ void round_pairs(float const* values, int count, std::uint16_t* to) {
  int const i = 2 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 >= count) return;
  std::uint32_t const word = edgewise::detail::pack_pair<T>(values[i], values[i + 1]);
  to[i] = static_cast<std::uint16_t>(word & 0xffffu);
  to[i + 1] = static_cast<std::uint16_t>(word >> 16);
}
template <class T>
__global__ void widen(float* to) {
  std::uint32_t const pattern = blockIdx.x * blockDim.x + threadIdx.x;
  T x;
  x.bits = static_cast<std::uint16_t>(pattern);
  to[pattern] = static_cast<float>(x);
}

}  // namespace

template <class T>
std::vector<std::uint16_t> rounded_on_device(std::vector<float> const& values, bool in_pairs) {
  auto const input = upload(values);
  guarded_device_output<std::uint16_t> output(values.size());
  int const count = static_cast<int>(values.size());
  unsigned const blocks = static_cast<unsigned>((count + 255) / 256);
  if (in_pairs) {
    round_pairs<T><<<blocks, 256>>>(input.data(), count, output.data());
  } else {
    round_one_by_one<T><<<blocks, 256>>>(input.data(), count, output.data());
  }
  check_cuda(cudaGetLastError(), "rounded_on_device");
  return output.values();
}
template <class T>
std::vector<float> widened_on_device() {
  guarded_device_output<float> output(65536);
  widen<T><<<256, 256>>>(output.data());
  check_cuda(cudaGetLastError(), "widened_on_device");
  return output.values();
}

template std::vector<std::uint16_t> rounded_on_device<bfloat16>(std::vector<float> const&, bool);
template std::vector<std::uint16_t> rounded_on_device<float16>(std::vector<float> const&, bool);
template std::vector<float> widened_on_device<bfloat16>();
template std::vector<float> widened_on_device<float16>();

}  // namespace edgewise::testing
