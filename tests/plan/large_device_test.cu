#include "large_device.hpp"

#include <edgewise/edgewise.cuh>

namespace edgewise::testing {

namespace {

struct x;
struct w;

__global__ void fill_rows(float* data, std::int64_t rows, int channels) {
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * channels;
       i += stride) {
    data[i] = static_cast<float>((i / channels * 31 + i % channels * 7) % 1021);
  }
}

}  // namespace

large_result run_large(std::int32_t num_vertices, int channels, std::vector<std::int64_t> const& rows) {
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> destinations;
  std::vector<float> weights;
  for (std::int32_t v = 0; v < num_vertices; ++v) {
    sources.push_back(v == 0 ? num_vertices - 1 : v - 1);
    sources.push_back(static_cast<std::int32_t>((static_cast<std::int64_t>(v) + num_vertices / 2) % num_vertices));
    destinations.push_back(v);
    destinations.push_back(v);
    weights.push_back(2);
    weights.push_back(3);
  }
  auto const host_coo = make_coo(vertices(num_vertices), sources, destinations);
  edgewise::cuda const exec{};
  auto const host_csr = to_csr(cpu{}, host_coo);
  auto const host_csc = to_csc(cpu{}, host_coo);
  auto const by_destination = to_device(exec, host_csr);
  auto const by_source = to_device(exec, host_csc);
  edgewise::graph const both{by_destination, by_source};

  auto const elements = static_cast<std::size_t>(num_vertices) * static_cast<std::size_t>(channels);
  device_buffer<float> in_rows(elements, device_memory());
  device_buffer<float> out_rows(elements, device_memory());
  device_buffer<float> edge_weights(weights.size(), device_memory());
  check_cuda(cudaMemcpy(edge_weights.data(), weights.data(), edge_weights.size_bytes(), cudaMemcpyHostToDevice),
             "large test: weights");
  fill_rows<<<4096, 256>>>(in_rows.data(), num_vertices, channels);
  check_cuda(cudaGetLastError(), "large test: fill_rows");

  auto const features = wide(in_rows.data(), num_vertices, channels);
  auto const result = wide(out_rows.data(), num_vertices, channels);
  auto const in =
      bindings(bind<x>(features), bind<w>(per_row(edge_weights.data(), static_cast<std::int64_t>(weights.size()))));
  auto const plan = fuse(both, automatic{}, gather<sum>(edge<w> * src<x>)).plan(exec, in);
  auto saved = plan.make_saved(exec);
  large_result r{rows, {}, {}};
  auto const read = [&](std::vector<float>& to) {
    to.resize(rows.size() * static_cast<std::size_t>(channels));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      check_cuda(cudaMemcpy(to.data() + i * static_cast<std::size_t>(channels), out_rows.data() + rows[i] * channels,
                            static_cast<std::size_t>(channels) * sizeof(float), cudaMemcpyDeviceToHost),
                 "large test: read rows");
    }
  };
  check_cuda(cudaMemset(out_rows.data(), 0xff, out_rows.size_bytes()), "large test: poison");
  plan.forward(exec, in, out(result), saved);
  read(r.out);
  check_cuda(cudaMemset(out_rows.data(), 0xff, out_rows.size_bytes()), "large test: poison");
  plan.backward(exec, in, saved, grad_out(features), grad<x>(result));  // the features serve as the adjoint too
  read(r.gradient);
  return r;
}

}  // namespace edgewise::testing
