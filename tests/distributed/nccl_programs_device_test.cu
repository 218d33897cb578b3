#include "nccl_programs_device_test.hpp"

#include "nccl_ranks.cuh"

namespace edgewise::testing {

#define EDGEWISE_RUN_ON_GPUS(...) \
  template run_result<float> run_on_gpus<__VA_ARGS__>(run_request<float> const&, ownership const&);
EDGEWISE_CASES_ON_GPUS(EDGEWISE_RUN_ON_GPUS)

}  // namespace edgewise::testing
