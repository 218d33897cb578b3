// What packed_rows_device_test.cu runs on the device for packed_rows_device_test.cpp to judge.
#pragma once

#include <vector>

#include "support/test_graph.hpp"

namespace edgewise::testing {

struct packed_run {
  std::vector<float> out;        ///< [V, heads, channels]
  std::vector<float> gradients;  ///< as `packed`, NaN between rows and before the first
};

/// Graph-transformer attention whose queries, keys and values lie in one array, and whose gradients go to another of
/// the same layout. Shapes: packed and gradients [offset + V * stride], row r of part p at offset + r * stride + p *
/// heads * channels; grad_out [V, heads, channels].
packed_run run_packed_on_device(test_graph const& edges, int heads, int channels, int offset, int stride,
                                std::vector<float> const& packed, std::vector<float> const& grad_out);

}  // namespace edgewise::testing
