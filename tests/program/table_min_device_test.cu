#include "table_device.cuh"

namespace edgewise::testing {

template run_result<double> run_cell_on_device<min>(int, run_request<double> const&);

}  // namespace edgewise::testing
