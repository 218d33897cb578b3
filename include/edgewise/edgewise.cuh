// All of edgewise.hpp, and execution on CUDA devices. Needs nvcc. Device conversions that sort are separate
// (format/convert.cuh), because CUB costs 10 s of compile time.
#pragma once

#include <edgewise/core/device_memory.cuh>
#include <edgewise/edgewise.hpp>
#include <edgewise/engine/cuda/engine.cuh>
#include <edgewise/format/copy.cuh>
#include <edgewise/format/normalize.cuh>
#include <edgewise/format/reorder.cuh>
