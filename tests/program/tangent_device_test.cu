#include "tangent_device.hpp"

#include "plan/device_machine.cuh"
#include "run_tangents.hpp"

namespace edgewise::testing {

template <class Case>
tangent_results run_tangents_on_device(test_graph const& graph, tangent_inputs const& in) {
  return run_tangents<Case, with_tangent<float>>(device_machine{}, graph, in);
}
using run_function = tangent_results(test_graph const&, tangent_inputs const&);
template run_function run_tangents_on_device<attention_tangents>;
template run_function run_tangents_on_device<potential_tangents>;
template run_function run_tangents_on_device<mixed_tangents>;
template run_function run_tangents_on_device<dense_tangents>;

}  // namespace edgewise::testing
