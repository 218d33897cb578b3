#include "edge_cases.hpp"

#include "mapping/mapped.hpp"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<edge_product>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_score, by_edges>>(run_request<float> const&);

}  // namespace edgewise::testing
