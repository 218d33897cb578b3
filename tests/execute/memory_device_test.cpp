// Memory of plans on a device, with rows that are cut.
#include "memory_bound.hpp"

#include "device_run.hpp"
#include "support/device.hpp"
#include "training_memory.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("memory on a device: a plan takes no more than its gathers' table says", "[execute][gpu]",
                   deviation_of_weighted, gat, relu_of_biased_sum) {
  skip_without_cuda_device();
  check_memory<TestType>(run_on_device<first_set<TestType>, float>, true, 528);
}

TEMPLATE_TEST_CASE("memory on a device: a training step of attention takes nothing that grows with the edges",
                   "[execute][gpu]", gat, gatv2, transformer) {
  skip_without_cuda_device();
  check_training_memory<TestType>(run_on_device<first_set<TestType>, float>);
}
