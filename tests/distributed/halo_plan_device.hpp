// How the judging side of the test reaches its running side.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/distributed/ownership.hpp>

#include "part_lists.hpp"

namespace edgewise::testing {

/// As `lists_on_ranks` and `error_of_unknown_source`, all ranks on the current device.
template <class Index, class Offset>
std::vector<part_lists> lists_on_device_ranks(test_graph const& graph, ownership const& owners);
std::pair<int, std::string> error_of_unknown_source_on_device(test_graph const& graph, ownership const& owners,
                                                              std::int32_t position);

}  // namespace edgewise::testing
