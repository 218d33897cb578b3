#include "linear_device.hpp"

#include "plan/device_machine.cuh"
#include "run_linear.hpp"

namespace edgewise::testing {

template <class Case>
linear_result run_linear_on_device(test_graph const& graph, linear_inputs const& in,
                                   std::vector<double> const& adjoint) {
  return run_linear<Case, float>(device_machine{}, graph, in, adjoint);
}
using run_function = linear_result(test_graph const&, linear_inputs const&, std::vector<double> const&);
template run_function run_linear_on_device<two_layers>;
template run_function run_linear_on_device<edge_convolution>;
template run_function run_linear_on_device<concatenated_rows>;
template run_function run_linear_on_device<attention_layer>;
template run_function run_linear_on_device<products_by_type>;

}  // namespace edgewise::testing
