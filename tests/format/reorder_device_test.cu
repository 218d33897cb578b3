#include <edgewise/format/reorder.cuh>

#include "../support/device.cuh"
#include "reorder_device.hpp"

namespace edgewise::testing {

moved_rows move_on_device(std::vector<int> const& old_of_new, std::vector<float> const& rows, int width,
                          std::vector<double> const& heads) {
  auto const num_rows = static_cast<std::int64_t>(old_of_new.size());
  std::int64_t const stride = width + 3;
  device_array<float> const from(rows);
  device_array<double> const heads_from(heads);
  device_array<float> permuted(std::vector<float>(static_cast<std::size_t>(num_rows * stride), between_rows));
  device_array<float> restored(std::vector<float>(rows.size(), between_rows));
  device_array<double> heads_to(std::vector<double>(heads.size(), -1.0));
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  {
    auto const order = to_device(exec, make_vertex_order(cpu{}, old_of_new));
    auto const between = wide(permuted.data(), num_rows, 1, width, stride);
    permute_rows(exec, order, wide(from.data(), num_rows, width), between);
    restore_rows(exec, order, between, wide(restored.data(), num_rows, width));
    permute_rows(exec, order, per_head(heads_from.data(), num_rows, 3), per_head(heads_to.data(), num_rows, 3));
  }
  stream.synchronize();
  return {permuted.values(), restored.values(), heads_to.values()};
}

}  // namespace edgewise::testing
