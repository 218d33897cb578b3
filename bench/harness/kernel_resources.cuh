// What the kernels behind a launch take: read from the nodes of a captured graph, so that no kernel need be named.
#pragma once

#include <vector>

#include "candidate.cuh"
#include "result.hpp"

namespace edgewise::bench {

/// The kernels that one `launch(stream)` enqueues. Kernels of another library may hide their attributes and are left
/// out. `launch` must be capturable. Throws `cuda_error`.
inline std::vector<kernel_resources> kernels_of(cudaStream_t stream, launch_function const& launch) {
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "kernels_of: begin");
  launch(stream);
  check_cuda(cudaStreamEndCapture(stream, &graph), "kernels_of: end");
  std::size_t num_nodes = 0;
  check_cuda(cudaGraphGetNodes(graph, nullptr, &num_nodes), "kernels_of: count nodes");
  std::vector<cudaGraphNode_t> nodes(num_nodes);
  if (num_nodes > 0) check_cuda(cudaGraphGetNodes(graph, nodes.data(), &num_nodes), "kernels_of: nodes");
  std::vector<kernel_resources> kernels;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    check_cuda(cudaGraphNodeGetType(node, &type), "kernels_of: type");
    if (type != cudaGraphNodeTypeKernel) continue;
    cudaKernelNodeParams parameters{};
    cudaFuncAttributes attributes{};
    bool const known = cudaGraphKernelNodeGetParams(node, &parameters) == cudaSuccess &&
                       cudaFuncGetAttributes(&attributes, parameters.func) == cudaSuccess;
    if (known) {
      kernels.push_back({.registers = attributes.numRegs, .local_bytes = static_cast<int>(attributes.localSizeBytes)});
    } else {
      cudaGetLastError();
    }
  }
  cudaGraphDestroy(graph);
  return kernels;
}

}  // namespace edgewise::bench
