// Execution resources: the first argument of everything that runs. `cpu` and `cuda` are aggregates.
#pragma once

#include <cstdint>

#include <edgewise/core/memory.hpp>

namespace edgewise::inline v0 {

/// Run on the host. `threads` = 0 means as many as OpenMP offers (1 without OpenMP); results do not depend on it.
/// `cache_bytes` is the last cache and `core_cache_bytes` the largest that a core has for itself, 0 as large as the
/// system says: rows that do not fit are read a few channels at a time, where that pays, which may change last bits
/// where compilers fuse additions into products.
struct cpu {
  using space = host_space;
  int threads = 0;
  memory_resource* memory = host_memory();
  std::int64_t cache_bytes = 0;
  std::int64_t core_cache_bytes = 0;
};

/// Run on `stream`, of the current CUDA device, or of the device on which a plan was made, whichever is current when it
/// is called. `memory` = nullptr means `device_memory()` (core/device_memory.cuh). What plans, states and containers
/// hold may outlive the stream: it is given back behind all that the library was told to do on that device before, in
/// whichever stream, without waiting. Work of your own on the arrays of a container, and graphs in which passes were
/// captured, are not known: what they use lives until they are done.
struct cuda {
  using space = device_space;
  stream_handle stream = nullptr;
  memory_resource* memory = nullptr;
};

namespace detail {

/// The stream of a resource; none on the host.
template <class Exec>
stream_handle stream_of(Exec const& exec) {
  if constexpr (requires { exec.stream; }) {
    return exec.stream;
  } else {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
