#include "functor_device.hpp"

#include "../support/device.cuh"
#include "functors.hpp"

namespace edgewise::testing {
namespace {

template <class T>
struct functor_arrays {
  T const* a;
  T const* b;
  T const* c;
  int size;
  T* value;
  T* pull_a;
  T* pull_b;
  T* pull_c;
  T* basis;
  T* interpolated;
  T* own_pull;
};

template <class T>
__global__ void evaluate_functors(__grid_constant__ functor_arrays<T> const x,
                                  operation::functor<radial_basis> const basis) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= x.size) return;
  T const a = x.a[i], b = x.b[i], c = x.c[i];
  operation::functor<fused_multiply_tanh> const fused{};
  T const value = fused.value(a, b, c);
  x.value[i] = value;
  x.pull_a[i] = fused.template pull<0>(T(2), value, a, b, c);
  x.pull_b[i] = fused.template pull<1>(T(2), value, a, b, c);
  x.pull_c[i] = fused.template pull<2>(T(2), value, a, b, c);
  x.basis[i] = basis.value(a);
  x.interpolated[i] = operation::functor<interpolate>{}.value(a, b, edgewise::abs(c), T(1.5));
  operation::functor<own_derivative> const own{};
  x.own_pull[i] = own.template pull<0>(T(2), own.value(a, b), a, b);
}

template <class T>
functor_results<T> run(std::vector<T> const& a, std::vector<T> const& b, std::vector<T> const& c) {
  std::size_t const size = a.size();
  auto const in_a = upload(a), in_b = upload(b), in_c = upload(c);
  guarded_device_output<T> const value(size), pull_a(size), pull_b(size), pull_c(size), basis(size), interpolated(size),
      own_pull(size);
  device_stream const stream;
  functor_arrays<T> const arrays{in_a.data(),  in_b.data(),         in_c.data(),    static_cast<int>(size),
                                 value.data(), pull_a.data(),       pull_b.data(),  pull_c.data(),
                                 basis.data(), interpolated.data(), own_pull.data()};
  int const threads = 128;
  operation::functor<radial_basis> const closeness{radial_basis{0.5f, 0.25}};
  evaluate_functors<T><<<(arrays.size + threads - 1) / threads, threads, 0, stream.get()>>>(arrays, closeness);
  check_cuda(cudaGetLastError(), "evaluate_functors");
  stream.synchronize();
  return {value.values(), pull_a.values(),       pull_b.values(),  pull_c.values(),
          basis.values(), interpolated.values(), own_pull.values()};
}

}  // namespace

functor_results<float> run_functors(std::vector<float> const& a, std::vector<float> const& b,
                                    std::vector<float> const& c) {
  return run(a, b, c);
}
functor_results<double> run_functors(std::vector<double> const& a, std::vector<double> const& b,
                                     std::vector<double> const& c) {
  return run(a, b, c);
}

}  // namespace edgewise::testing
