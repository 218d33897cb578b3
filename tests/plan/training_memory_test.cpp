#include "training_memory.hpp"

#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("memory: a training step of attention takes nothing that grows with the edges", "[plan]", gat, gatv2,
                   transformer) {
  check_training_memory<TestType>(run_on_host<first_set<TestType>, float>);
}
