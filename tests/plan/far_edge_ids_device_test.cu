#include "far_edge_ids_device_test.hpp"

#include "far_machine.cuh"

namespace edgewise::testing {

template <class Gather>
far_ids_result run_ids_on_device(test_graph const& edges, long long first_id) {
  return run_ids_from<Gather>(far_machine{}, edges, first_id);
}
template far_ids_result run_ids_on_device<edgewise::sum>(test_graph const&, long long);
template far_ids_result run_ids_on_device<edgewise::max>(test_graph const&, long long);

}  // namespace edgewise::testing
