// How mini-batches are drawn.
#pragma once

#include <cstdint>
#include <vector>

namespace edgewise::train {

struct sampling {
  std::int64_t batch_size = 0;        // vertices whose logits are asked for; 0: all at once, on the whole graph
  std::vector<std::int64_t> fanouts;  // neighbors sampled for a vertex, by layer from the last
  std::uint64_t seed = 0;
};

}  // namespace edgewise::train
