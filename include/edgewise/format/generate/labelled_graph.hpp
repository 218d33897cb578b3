// A graph whose vertices have classes.
#pragma once

#include <cstdint>

#include <edgewise/format/coo.hpp>

namespace edgewise::inline v0 {

/// What generators of classified graphs return. Shapes: labels [vertices], each in [0, num_classes).
template <class Index = std::int32_t, class Offset = std::int32_t>
struct labelled_graph {
  coo<Index, Offset> edges;
  host_buffer<std::int32_t> labels;
  std::int32_t num_classes = 0;
};

}  // namespace edgewise::inline v0
