#include <edgewise/edgewise.cuh>

#include "long_rows_run.hpp"
#include "support/device.cuh"

namespace edgewise::testing {

std::vector<long_row_error> long_rows_on_device(int channels) {
  device_stream const stream;
  return run_long_rows<device_array>(cuda{.stream = stream.get()}, channels);
}

}  // namespace edgewise::testing
