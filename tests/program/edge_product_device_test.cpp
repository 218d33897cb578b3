#include "edge_cases.hpp"
#include "mapping/check_mapping.hpp"
#include "mapping/mapped.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("edge programs on a device: every role and kind", "[program][gpu]") {
  skip_without_cuda_device();
  check_case<edge_product, float>(run_on_device<edge_product, float>);
  check_cut_rows<edge_product, float>(run_on_device<edge_product, float>);
}

TEST_CASE("edge programs on a device: equal shares of edges store every edge", "[program][gpu]") {
  skip_without_cuda_device();
  using shared = mapped<edge_score, by_edges>;
  check_mapping<shared>(run_on_device<shared, float>);
}
