#include "epilogue_cases.hpp"

#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<several_gathers>(run_request<float> const&);
template run_result<float> run_on_device<product_of_gathers>(run_request<float> const&);

}  // namespace edgewise::testing
