// What a call puts on a stream, counted in a CUDA graph that captures it.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>

#include "launch_count.hpp"

namespace edgewise::testing {

inline void count_kernel(launch_count& count, std::string const& mangled) {
  auto const is = [&](char const* part) { return mangled.find(part) != std::string::npos; };
  if (is("traverse_rows") || is("traverse_coo")) {
    ++(is("vertex_pass") ? count.vertex_stages : count.traversals);
  } else if (is("fold_partials")) {
    ++count.folds;
  } else {
    ++count.other_kernels;
  }
}

/// Runs `call` once, so that its kernels are loaded, and once more under capture: nothing of the second run is
/// executed.
template <class Call>
launch_count count_launches(cudaStream_t stream, Call const& call) {
  call();
  check_cuda(cudaStreamSynchronize(stream), "count_launches: first run");
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "count_launches: begin");
  call();
  check_cuda(cudaStreamEndCapture(stream, &graph), "count_launches: end");
  std::size_t size = 0;
  check_cuda(cudaGraphGetNodes(graph, nullptr, &size), "count_launches: number of nodes");
  std::vector<cudaGraphNode_t> nodes(size);
  check_cuda(cudaGraphGetNodes(graph, nodes.data(), &size), "count_launches: nodes");
  launch_count count;
  for (auto const node : nodes) {
    cudaGraphNodeType type;
    check_cuda(cudaGraphNodeGetType(node, &type), "count_launches: type of a node");
    if (type == cudaGraphNodeTypeKernel) {
      cudaKernelNodeParams parameters{};
      char const* name = nullptr;
      check_cuda(cudaGraphKernelNodeGetParams(node, &parameters), "count_launches: parameters of a kernel");
      check_cuda(cudaFuncGetName(&name, parameters.func), "count_launches: name of a kernel");
      count_kernel(count, name);
    } else if (type == cudaGraphNodeTypeMemset) {
      ++count.clears;
    } else {
      ++count.others;
    }
  }
  check_cuda(cudaGraphDestroy(graph), "count_launches: destroy");
  return count;
}

}  // namespace edgewise::testing
