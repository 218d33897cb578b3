#include "edge_feature_device_test.hpp"

#include "edge_feature_cases.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("edge features on a device: values and gradients on the battery", "[program][gpu]") {
  skip_without_cuda_device();
  check_case<attention_of_edge_features, float>(run_on_device<attention_of_edge_features, float>);
  check_cut_rows<attention_of_edge_features, float>(run_on_device<attention_of_edge_features, float>);
}

TEST_CASE("edge features on a device: all of it in one kernel", "[program][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : {bipartite(37, 53, 0.2), one_hub()}) {
    auto const launches = count_edge_features(graph, 4, 16);
    CHECK(launches.forward == launch_count{.traversals = 1});
    CHECK(launches.backward == launch_count{.traversals = 2});  // the one by destination prepares the inner term
  }
}
