// Everything for graphs whose parts are on several GPUs; besides it one includes the communicator,
// edgewise/vendor/nccl.cuh.
#pragma once

#include <edgewise/distributed.hpp>
#include <edgewise/distributed/device.cuh>
#include <edgewise/edgewise.cuh>
