#include "far_edges_device_test.hpp"

#include "far_machine.cuh"
#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"

namespace edgewise::testing {

template <class Case>
run_result<float> run_far_on_device(run_request<float> const& request) {
  far_machine const machine;
  return run_program<Case>(machine, request, far_edges{});
}
template run_result<float> run_far_on_device<weighted_sum<operand_kind::per_row>>(run_request<float> const&);
template run_result<float> run_far_on_device<extremum_of_weighted<edgewise::max>>(run_request<float> const&);

}  // namespace edgewise::testing
