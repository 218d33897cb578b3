#include "edge_cases.hpp"

#include "execute/check_case.hpp"
#include "execute/device_run.hpp"
#include "mapping/check_mapping.hpp"
#include "mapping/mapped.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("edge programs on a device: values and gradients on the battery", "[program][gpu]", edge_dot,
                   edge_product, edge_score) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("edge programs on a device: equal shares of edges store every edge", "[program][gpu]") {
  skip_without_cuda_device();
  using shared = mapped<edge_product, by_edges>;
  check_mapping<shared>(run_on_device<shared, float>);
}
