// The device's part of a measurement's environment.
#pragma once

#include <fstream>
#include <string>

#include <edgewise/core/device_memory.cuh>

#include "environment.hpp"

namespace edgewise::bench {

/// Adds the current device, driver and runtime to `e`.
inline void describe_device(environment& e) {
  int device = 0, runtime = 0, driver = 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDevice(&device), "describe_device: device");
  check_cuda(cudaGetDeviceProperties(&properties, device), "describe_device: properties");
  check_cuda(cudaRuntimeGetVersion(&runtime), "describe_device: runtime version");
  check_cuda(cudaDriverGetVersion(&driver), "describe_device: driver version");
  auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  e.gpu = properties.name;
  e.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  e.multiprocessors = properties.multiProcessorCount;
  e.gpu_memory_bytes = static_cast<double>(properties.totalGlobalMem);
  e.l2_bytes = properties.l2CacheSize;
  e.cuda_runtime = version(runtime);
  e.driver_cuda = version(driver);
  std::ifstream file("/proc/driver/nvidia/version");  // absent in some containers: the field then stays empty
  std::getline(file, e.driver);
}

}  // namespace edgewise::bench
