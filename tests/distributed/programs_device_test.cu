#include "programs_device_test.hpp"

#include "thread_ranks.cuh"

namespace edgewise::testing {

#define EDGEWISE_RUN_ON_RANKS(...) \
  template std::vector<run_result<float>> run_on_device_ranks<__VA_ARGS__>(run_request<float> const&, ownership const&);
EDGEWISE_CASES_ON_RANKS(EDGEWISE_RUN_ON_RANKS)

}  // namespace edgewise::testing
