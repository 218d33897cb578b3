#include "packed_rows_device_test.hpp"

#include <edgewise/edgewise.cuh>

#include "program/attention_cases.hpp"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

packed_run run_packed_on_device(test_graph const& edges, int heads, int channels, int offset, int stride,
                                std::vector<float> const& packed, std::vector<float> const& grad_out) {
  device_graph<> const arrays(edges);
  device_array<float> const operands(packed);
  device_array<float> const adjoint(grad_out);
  guarded_device_output<float> result(grad_out.size());
  guarded_device_output<float> gradients(packed.size());
  int const n = edges.num_sources;
  auto const part = [&](float* data, int index) {
    return wide(data + offset + index * heads * channels, n, heads, channels, stride);
  };
  auto const in =
      bindings(bind<q>(part(operands.data(), 0)), bind<k>(part(operands.data(), 1)), bind<v>(part(operands.data(), 2)));
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto const plan = fuse(graph{arrays.csr(), arrays.csc()}, automatic{}, transformer::program).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(wide(result.data(), n, heads, channels)), saved);
  plan.backward(exec, in, saved, edgewise::grad_out(wide(adjoint.data(), n, heads, channels)),
                grad<q>(part(gradients.data(), 0)), grad<k>(part(gradients.data(), 1)),
                grad<v>(part(gradients.data(), 2)));
  stream.synchronize();
  return {result.values(), gradients.values()};
}

}  // namespace edgewise::testing
