#include <edgewise/edgewise.cuh>

#include <cmath>

#include "many_rows_device.hpp"
#include "support/device.cuh"

namespace edgewise::testing {

namespace {
struct a;
struct x;
}  // namespace

std::vector<float> parameter_gradient_on_device(many_rows const& rows) {
  constexpr std::int32_t n = many_rows::num_vertices;
  constexpr int channels = many_rows::channels;
  // Of groups of a warp, four to a block: more of them would take all rows in one wave.
  static_assert(detail::count_waves(n, many_rows::degree * n, 4 * detail::num_parameter_blocks) == 3);
  device_stream const stream;
  edgewise::cuda const exec{.stream = stream.get()};
  auto const csr = to_device(exec, to_csr(cpu{}, make_coo(vertices(n), rows.sources, rows.destinations)));
  std::vector<float> values;
  for (std::int32_t v = 0; v < n; ++v) {
    for (int c = 0; c < channels; ++c) values.push_back(many_rows::value(v, c));
  }
  device_array<float> const features(values);
  device_array<float> const factors(std::vector<float>(channels, 1));
  device_array<float> result(values);
  device_array<float> gradient(std::vector<float>(channels, NAN));

  auto const in = bindings(bind<x>(wide(features.data(), n, channels)), bind<a>(wide(factors.data(), 1, channels)));
  auto const plan = fuse(graph{csr}, degree_aware{.threshold = 128}, gather<sum>(param<a> * src<x>)).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(wide(result.data(), n, channels)), saved);
  plan.backward(exec, in, saved, grad_out(wide(features.data(), n, channels)),
                grad<a>(wide(gradient.data(), 1, channels)));
  stream.synchronize();
  return gradient.values();
}

}  // namespace edgewise::testing
