// What far_edges_device_test.cu runs on the device for far_edges_device_test.cpp to judge.
#pragma once

#include "far_edges.hpp"

namespace edgewise::testing {

/// Runs a case on offsets beyond 2^32.
template <class Case>
run_result<float> run_far_on_device(run_request<float> const& request);
/// `run_ids_from` on the device: weights of all ids are allocated, those from `first_id` on have values.
template <class Gather>
far_ids_result run_ids_on_device(test_graph const& edges, long long first_id);

std::size_t free_device_memory();

}  // namespace edgewise::testing
