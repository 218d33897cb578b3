// The emulated device's side of <cuda_runtime_api.h>: what the library and its tests use of it, nothing more. "Device
// memory" is the host's, so that address sanitizers see every access; work is done at once, or kept by a capture.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "emulation/grid.hpp"
#include "emulation/instructions.hpp"

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorStubLibrary = 34,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrPageableMemoryAccess = 88
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel,
  cudaGraphNodeTypeMemcpy,
  cudaGraphNodeTypeMemset,
  cudaGraphNodeTypeMemAlloc
};
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDisableTiming = 2;

using cudaStream_t = CUstream_st*;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))
using cudaEvent_t = emulation::event*;
using cudaGraph_t = emulation::graph*;
using cudaGraphExec_t = emulation::graph*;
using cudaGraphNode_t = emulation::node*;
struct cudaKernelNodeParams {
  void* func;
};
struct cudaDeviceProp {
  char name[256];
  char uuid[16];
  int major, minor, multiProcessorCount, l2CacheSize;
};

inline char const* cudaGetErrorName(cudaError_t error) {
  return error == cudaSuccess ? "cudaSuccess" : "emulated error";
}
inline char const* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
namespace emulation {
inline thread_local cudaError_t last_error = cudaSuccess;
inline cudaError_t fail(cudaError_t error) { return last_error = error; }
}  // namespace emulation
inline cudaError_t cudaPeekAtLastError() { return emulation::last_error; }
inline cudaError_t cudaGetLastError() { return std::exchange(emulation::last_error, cudaSuccess); }
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : emulation::fail(cudaErrorInvalidDevice);
}
inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrL2CacheSize ? 50 << 20 : attribute == cudaDevAttrPageableMemoryAccess ? 0 : 4;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"emulated device", {}, 9, 0, 4, 50 << 20};
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = emulation::memory_bytes;
  return cudaSuccess;
}

inline cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = emulation::allocate(bytes);
  return *data ? cudaSuccess : emulation::fail(cudaErrorMemoryAllocation);
}
template <class T>
cudaError_t cudaMalloc(T** data, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(data), bytes);
}
inline cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t) {
  emulation::enqueue({emulation::node::memory, "", [] {}});  // what a capture gets, all of its runs share
  return cudaMalloc(data, bytes);
}
inline cudaError_t cudaFree(void* data) { return emulation::deallocate(data), cudaSuccess; }
inline cudaError_t cudaFreeAsync(void* data, cudaStream_t) {
  std::shared_ptr<void> const last(data, emulation::deallocate);  // of a capture: with the graph
  emulation::enqueue({emulation::node::memory, "", [last] {}});
  return cudaSuccess;
}

inline cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  emulation::enqueue({emulation::node::copy, "", [=] { std::memmove(to, from, bytes); }});
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind) {
  return std::memmove(to, from, bytes), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  emulation::enqueue({emulation::node::clear, "", [=] { std::memset(to, value, bytes); }});
  return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                                     cudaStream_t) {
  emulation::enqueue({emulation::node::clear, "", [=] {
                        for (std::size_t r = 0; r < rows; ++r)
                          std::memset(static_cast<char*>(to) + r * pitch, value, width);
                      }});
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return std::memset(to, value, bytes), cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(emulation::allocate(1));
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return cudaFree(stream); }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

inline cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return *id = reinterpret_cast<std::uintptr_t>(stream), cudaSuccess;
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = emulation::is_capturing() ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
/// What was allocated is the device's, all else the host's.
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* data) {
  void* const address = const_cast<void*>(data);
  *attributes = emulation::is_allocated(data) ? cudaPointerAttributes{cudaMemoryTypeDevice, 0, address, nullptr}
                                              : cudaPointerAttributes{cudaMemoryTypeUnregistered, 0, nullptr, address};
  return cudaSuccess;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return *event = new emulation::event, cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new emulation::event, cudaSuccess; }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) { return *event = emulation::now(), cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  *ms = emulation::milliseconds(*begin, *end);
  return cudaSuccess;
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return emulation::begin_capture(), cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = emulation::end_capture();
  return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long = 0) {
  *instance = new emulation::graph(*graph);
  return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (auto const& node : *graph) node.work();
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return delete graph, cudaSuccess; }
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* size) {
  for (std::size_t i = 0; nodes && i < graph->size(); ++i) nodes[i] = &(*graph)[i];
  *size = graph->size();
  return cudaSuccess;
}
inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  *type = node->type == emulation::node::kernel  ? cudaGraphNodeTypeKernel
          : node->type == emulation::node::clear ? cudaGraphNodeTypeMemset
          : node->type == emulation::node::copy  ? cudaGraphNodeTypeMemcpy
                                                 : cudaGraphNodeTypeMemAlloc;
  return cudaSuccess;
}
inline cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  parameters->func = node;
  return cudaSuccess;
}
inline cudaError_t cudaFuncGetName(char const** name, void const* kernel) {
  *name = static_cast<emulation::node const*>(kernel)->name.c_str();
  return cudaSuccess;
}
