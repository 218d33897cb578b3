// Programs over several GPUs are those over the whole graph: scripts/launch-ranks 2
// test_distributed.nccl_programs_device.
#include "nccl_programs_device_test.hpp"

#include "nccl_ranks.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed on devices: values and gradients", "[distributed][gpu]", weighted_sum_on_gpus,
                   first_set<sum_of_differences>, maximum_on_gpus, first_set<deviation_of_weighted>,
                   first_set<relu_of_biased_sum>, first_set<gat>, first_set<transformer>,
                   first_set<dropped_attention_with_self>, first_set<edge_dot>) {
  check_on_gpus<TestType>();
}
