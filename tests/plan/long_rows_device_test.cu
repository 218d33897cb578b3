#include <edgewise/edgewise.cuh>

#include "long_rows_run.hpp"
#include "support/device.cuh"

namespace edgewise::testing {

std::vector<long_row_error> long_rows_on_device(int lanes) {
  device_stream const stream;
  return run_long_rows<device_array>(cuda{.stream = stream.get()}, lanes);
}

}  // namespace edgewise::testing
