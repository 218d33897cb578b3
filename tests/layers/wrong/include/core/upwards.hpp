// Includes a header of a room further down, and one that takes nvcc.
#pragma once

#include <edgewise/core/device.cuh>
#include <edgewise/plan/plan.hpp>
