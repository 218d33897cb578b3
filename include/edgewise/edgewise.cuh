// All of edgewise.hpp, and execution on CUDA devices. Needs nvcc. Device conversions that sort are separate
// (format/convert.cuh), because CUB costs 10 s of compile time.
#pragma once

#if __cplusplus < 202002L
#error "edgewise is written in C++20: compile with -std=c++20"
#else

#include <edgewise/core/device_memory.cuh>
#include <edgewise/edgewise.hpp>
#include <edgewise/engine/cuda/engine.cuh>
#include <edgewise/format/copy.cuh>
#include <edgewise/format/normalize.cuh>
#include <edgewise/format/reorder.cuh>

#endif
