// Execution resources: the first argument of everything that runs. `cpu` and `cuda` are aggregates.
#pragma once

#include <edgewise/core/memory.hpp>

namespace edgewise {

/// Run on the host. `threads` = 0 means as many as OpenMP offers (1 without OpenMP).
struct cpu {
  using space = host_space;
  int threads = 0;
  memory_resource* memory = host_memory();
};

/// Run on the current CUDA device, on `stream`. `memory` = nullptr means `device_memory()` (execute/device_memory.cuh).
struct cuda {
  using space = device_space;
  stream_handle stream = nullptr;
  memory_resource* memory = nullptr;
};

}  // namespace edgewise
