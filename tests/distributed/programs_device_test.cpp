// Programs over ranks on a device are those over the whole graph.
#include "programs_device_test.hpp"

#include "device_ranks.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed on a device: values and gradients", "[distributed][gpu]", weighted_sum_on_ranks,
                   first_set<sum_of_differences>, maximum_on_ranks, first_set<deviation_of_weighted>,
                   first_set<relu_of_biased_sum>, first_set<gat>, first_set<gat_with_self>, mean_with_self,
                   first_set<transformer>, first_set<dropped_attention_with_self>, first_set<edge_dot>,
                   first_set<relation_bases>, first_set<two_hops>) {
  for (int const ranks : {1, 3}) check_on_device_ranks<TestType>(ranks);
}
