// Rows so long that one running float would lose digits: what each engine makes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace edgewise::testing {

/// A relative error: |actual - expected| / |expected|.
struct long_row_error {
  std::string of;
  double error;
};

/// The errors of one row, of one source, of 10^7 edges, and of their one parameter: sums by every mapping, and other
/// gathers.
std::vector<long_row_error> long_rows_on_device(int channels);

inline constexpr int long_row_edges = 10'000'000;
/// docs/numerics.md: for so many equal terms.
inline constexpr double most_long_row_error = 1e-5;

}  // namespace edgewise::testing
