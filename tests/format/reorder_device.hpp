// Runs of the device's permute_rows and restore_rows, returned in host memory for a host compiler to check.
#pragma once

#include <vector>

namespace edgewise::testing {

struct moved_rows {
  std::vector<float> permuted;   // [rows, stride of 3 more than a row]: poison between rows
  std::vector<float> restored;   // [rows, width]
  std::vector<double> per_head;  // permuted, [rows, 3]
};

inline constexpr float between_rows = -7.5f;

/// Rows of `width` elements, permuted by an order and restored.
moved_rows move_on_device(std::vector<int> const& old_of_new, std::vector<float> const& rows, int width,
                          std::vector<double> const& heads);

}  // namespace edgewise::testing
