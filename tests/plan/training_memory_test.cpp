#include "training_memory.hpp"

#include <cstdint>

#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Caches that hold all rows, so that none are staged, which takes memory of its own (docs/design.md, Memory).
struct machine_of_large_caches : host_machine {
  cpu execution(int threads, memory_resource* memory) const {
    constexpr std::int64_t large = std::int64_t{1} << 30;
    return {.threads = threads, .memory = memory, .cache_bytes = large, .core_cache_bytes = large};
  }
};

template <class Case>
run_result<float> run_in_large_caches(run_request<float> const& request) {
  return run_program<Case>(machine_of_large_caches{}, request);
}

}  // namespace

TEMPLATE_TEST_CASE("memory: a training step of attention takes nothing that grows with the edges", "[plan]", gat, gatv2,
                   transformer) {
  check_training_memory<TestType>(run_in_large_caches<first_set<TestType>>);
}
