// Programs of tensor_core on the CPU, where their rows are walked: the oracle of the device's tiles.
#include "check_mapping.hpp"
#include "check_over_tiles.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("tensor_core on a CPU: values and gradients", "[mapping][tiles]", transformer_f16,
                   mean_layer_bf16 EDGEWISE_MORE_CASES(gat_f16, biased_attention_f16)) {
  check_over_tiles<TestType>(
      [](auto const& request, auto const& options) {
        return run_over_tiles<TestType>(host_machine{}, request, options);
      },
      {{1, 3}, {2, 17}}, {no_edges(300), multi_edges(), isolated_vertices(), chain()});
}
