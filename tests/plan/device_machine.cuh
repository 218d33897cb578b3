// The current CUDA device as a machine for run_program, on a stream of its own.
#pragma once

#include <edgewise/edgewise.cuh>

#include "device_run.hpp"
#include "run_program.hpp"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

class device_machine {
public:
  template <class T>
  using output = guarded_device_output<T>;
  template <class Offset>
  using graph_arrays = device_graph<Offset>;

  memory_resource* memory() const { return device_memory(); }
  cuda execution(int, memory_resource* memory) const { return {.stream = stream_.get(), .memory = memory}; }
  void synchronize() const { stream_.synchronize(); }
  template <class T>
  device_array<T> upload(std::vector<T> const& values) const {
    return device_array<T>(values);
  }
  template <class T>
  void assign(guarded_device_output<T>& output, std::vector<T> const& values) const {
    if (values.empty()) return;
    check_cuda(cudaMemcpy(output.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
               "device_machine: assign");
    check_cuda(cudaDeviceSynchronize(), "device_machine: assign");
  }

private:
  device_stream stream_;
};

template <class Case, class T>
run_result<T> run_on_device(run_request<T> const& request) {
  device_machine const machine;
  return run_program<Case>(machine, request);
}

}  // namespace edgewise::testing
