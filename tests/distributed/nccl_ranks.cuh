// The GPUs of several processes as those that cases run over.
#pragma once

#include <cstdlib>
#include <string>

#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include "nccl_ranks.hpp"
#include "plan/device_machine.cuh"
#include "run_on_ranks.hpp"

namespace edgewise::testing {

inline int number_in_environment(char const* name, int otherwise) {
  char const* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}
/// Not inline: the judging side has declarations alone.
int gpu_rank() { return number_in_environment("EDGEWISE_RANK", 0); }
int num_gpu_ranks() { return number_in_environment("EDGEWISE_RANKS", 1); }

/// The communicator of all tests of a process, which it makes on the GPU of its rank.
inline nccl_communicator& gpu_world() {
  static nccl_communicator* const comm = [] {
    int devices = 0;
    check_cuda(cudaGetDeviceCount(&devices), "gpu_world");
    if (devices < num_gpu_ranks()) skip_test("fewer GPUs than ranks");
    check_cuda(cudaSetDevice(gpu_rank()), "gpu_world");
    char const* const path = std::getenv("EDGEWISE_RANKS_MEET_AT");
    nccl_id const id = path ? share_nccl_id(path, gpu_rank()) : make_nccl_id();
    return new nccl_communicator(id, gpu_rank(), num_gpu_ranks());
  }();
  return *comm;
}

template <class Case, class T>
run_result<T> run_on_gpus(run_request<T> const& request, ownership const& owners) {
  auto& comm = gpu_world();
  device_machine const machine;
  return run_on_ranks<Case>(machine, comm, request, owners);
}

}  // namespace edgewise::testing
