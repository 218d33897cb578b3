#include "execute/device_machine.cuh"
#include "mapped.hpp"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, pieces_of_sixty_four>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, pieces_of_three_hundred>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, pieces_of_three_hundred>>(run_request<float> const&);

}  // namespace edgewise::testing
