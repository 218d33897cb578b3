// What far_edge_ids_device_test.cu runs on the device for far_edge_ids_device_test.cpp to judge.
#pragma once

#include "far_edges.hpp"

namespace edgewise::testing {

/// `run_ids_from` on the device: weights of all ids are allocated, those from `first_id` on have values.
template <class Gather>
far_ids_result run_ids_on_device(test_graph const& edges, long long first_id);

}  // namespace edgewise::testing
