#include "halo_plan_device.hpp"

#include "part_lists.cuh"

namespace edgewise::testing {

template <class Index, class Offset>
std::vector<part_lists> lists_on_device_ranks(test_graph const& graph, ownership const& owners) {
  return lists_on_ranks<Index, Offset, cuda>(on_device, graph, owners);
}
#define EDGEWISE_LISTS(Index, Offset) \
  template std::vector<part_lists> lists_on_device_ranks<Index, Offset>(test_graph const&, ownership const&);
EDGEWISE_LISTS(std::int32_t, std::int32_t)
EDGEWISE_LISTS(std::int32_t, std::int64_t)
EDGEWISE_LISTS(std::int64_t, std::int64_t)

std::pair<int, std::string> error_of_unknown_source_on_device(test_graph const& graph, ownership const& owners,
                                                              std::int32_t position) {
  return error_of_unknown_source<cuda>(on_device, graph, owners, position);
}

}  // namespace edgewise::testing
