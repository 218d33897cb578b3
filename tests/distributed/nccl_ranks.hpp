// How the judging side of a test over GPUs reaches its running side. A process is the rank EDGEWISE_RANK of
// EDGEWISE_RANKS, on the GPU of that number, and finds the others by the file EDGEWISE_RANKS_MEET_AT:
// scripts/launch-ranks sets these. Alone it is the only rank.
#pragma once

#include <edgewise/distributed/ownership.hpp>

#include "check_on_ranks.hpp"
#include "support/device.hpp"

namespace edgewise::testing {

int gpu_rank();
int num_gpu_ranks();

/// Defined in nccl_ranks.cuh.
template <class Case, class T>
run_result<T> run_on_gpus(run_request<T> const& request, ownership const& owners);

template <class Case, class T = float>
void check_on_gpus() {
  skip_without_cuda_device();
  check_on_ranks<Case, T>(run_on_gpus<Case, T>, gpu_rank(), num_gpu_ranks());
}

}  // namespace edgewise::testing
