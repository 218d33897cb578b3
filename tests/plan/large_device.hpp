// What the test of more than 2^31 feature elements runs on the device.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::testing {

/// Sampled rows of a weighted sum and of its source gradient over a ring with chords, read back from the device.
struct large_result {
  std::vector<std::int64_t> rows;
  std::vector<float> out;       ///< [rows, channels]
  std::vector<float> gradient;  ///< [rows, channels]
};

/// Each vertex v of `num_vertices` receives edges from v - 1 and v + num_vertices / 2 (mod num_vertices), with weights
/// 2 and 3. Feature (v, channel) is large_value(v, channel), and so is the output's adjoint.
large_result run_large(std::int32_t num_vertices, int channels, std::vector<std::int64_t> const& rows);

/// A small integer that tells rows and channels apart.
inline float large_value(std::int64_t row, int channel) { return static_cast<float>((row * 31 + channel * 7) % 1021); }

}  // namespace edgewise::testing
