#include "edge_cases.hpp"

#include "execute/device_machine.cuh"
#include "mapping/mapped.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<edge_product>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_score, by_edges>>(run_request<float> const&);

}  // namespace edgewise::testing
