// Where and with what a measurement was made.
#pragma once

#include <string>
#include <vector>

#include "bounds.hpp"

namespace edgewise::bench {

/// Everything that a reader needs in order to repeat or to distrust a number. Empty text: not part of this measurement.
struct environment {
  std::string revision;  ///< git revision of the sources
  std::string date;      ///< UTC, ISO 8601
  std::string compiler;
  std::string cpu;
  int cpu_threads = 0;  ///< threads that host kernels were given
  std::string gpu;
  std::string compute_capability;
  int multiprocessors = 0;
  double gpu_memory_bytes = 0;
  double l2_bytes = 0;
  std::string driver;       ///< kernel driver's version
  std::string driver_cuda;  ///< newest CUDA the driver supports
  std::string cuda_runtime;
  std::string peer;                     ///< library compared with, and its version
  double copy_bandwidth = 0;            ///< bytes read + written per second; floors are divided by it
  double flops = 0;                     ///< float operations per second of multiply-adds
  std::vector<gather_ceiling> gathers;  ///< random reads of rows
};

/// The host's part: processor, compiler, date, and the revision given at build time (-DEDGEWISE_BENCH_REVISION="...")
/// unless `revision` names another.
environment host_environment(std::string const& revision);

}  // namespace edgewise::bench
