// Memory of plans on a device, with rows that are cut.
#include "memory_bound.hpp"

#include <algorithm>

#include "device_run.hpp"
#include "mapping/mapped.hpp"
#include "support/device.hpp"
#include "training_memory.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("memory on a device: a plan takes no more than its gathers' table says", "[plan][gpu]",
                   deviation_of_weighted, gat, relu_of_biased_sum) {
  skip_without_cuda_device();
  check_memory<TestType>(run_on_device<first_set<TestType>, float>, true, 528);
}

TEMPLATE_TEST_CASE("memory on a device: a training step of attention takes nothing that grows with the edges",
                   "[plan][gpu]", gat, gatv2, transformer) {
  skip_without_cuda_device();
  check_training_memory<TestType>(run_on_device<first_set<TestType>, float>);
}

TEST_CASE("memory on a device: slots of partitions take the memory of one output", "[plan][gpu]") {
  skip_without_cuda_device();
  using of = mapped<first_set<transformer>, partitioned>;
  auto const skewed = random_skewed(6000, 900000);
  edge_list edges;
  for (int e = 0; e < skewed.num_edges(); ++e) {
    auto const k = static_cast<std::size_t>(e);
    edges.push_back({skewed.sources[k], skewed.destinations[k]});
  }
  std::sort(edges.begin(), edges.end());  // by source, then destination: neighbors ascend in both groupings
  auto const graph = make_test_graph("ascending", 6000, 6000, edges);
  random_stream random("memory of partitions");
  width const w{4, 16};
  auto request = draw_request<of, float>(graph, w, random);
  request.asked_set = 0;
  auto const result = run_on_device<of, float>(request);
  CHECK(result.num_allocations == 0);
  CHECK(result.workspace_bytes <= std::size_t{6000} * 4 * 16 * sizeof(float));
  CHECK(result.workspace_bytes >= std::size_t{6000} * 4 * 16 * sizeof(float) / 2);  // rows were cut
}
