// Cases over ranks that are threads, all on the current device.
#pragma once

#include <vector>

#include <edgewise/distributed.cuh>

#include "device_ranks.hpp"
#include "plan/device_machine.cuh"
#include "run_on_ranks.hpp"
#include "thread_ranks.hpp"

namespace edgewise::testing {

template <>
struct rank_copies<cuda> {
  static void synchronize(cuda const& exec) { check_cuda(cudaStreamSynchronize(exec.stream), "thread_ranks"); }
  static void copy(cuda const& exec, void* to, void const* from, std::size_t bytes) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, exec.stream), "thread_ranks: copy");
  }
};

template <class Case, class T>
std::vector<run_result<T>> run_on_device_ranks(run_request<T> const& request, ownership const& owners) {
  std::vector<run_result<T>> results(static_cast<std::size_t>(owners.num_ranks()));
  run_ranks(owners.num_ranks(), [&](int rank, thread_group& group) {
    thread_communicator<cuda> comm(group, rank);
    device_machine const machine;
    results[static_cast<std::size_t>(rank)] = run_on_ranks<Case>(machine, comm, request, owners);
  });
  return results;
}

}  // namespace edgewise::testing
