// How the judging side of the test reaches its running side.
#pragma once

#include <vector>

#include <edgewise/distributed/ownership.hpp>

namespace edgewise::testing {

/// What a rank has: its heads of all rows, and its own rows when they came back.
struct split_rows {
  std::vector<float> heads;
  std::vector<float> rows;
};
/// Of each rank, all on the current device; row v, element k of the whole is 1000 v + k. Shapes: heads [vertices, own
/// heads, own channels], rows [own vertices, heads, channels].
std::vector<split_rows> split_on_device_ranks(vertex_owners const& owners, int heads, int channels);

}  // namespace edgewise::testing
