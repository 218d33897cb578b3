#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

using largest = extremum_of_neighbors<edgewise::max>;

TEST_CASE("edge_balanced on a device: takes every edge of a grouping once", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, by_edges>>(run_on_device<mapped<exact_sum, by_edges>, float>);
}

TEMPLATE_TEST_CASE("edge_balanced on a device: values and gradients", "[mapping][gpu]", gatv2, largest) {
  skip_without_cuda_device();
  using Case = mapped<TestType, by_edges>;
  check_mapping<Case>(run_on_device<Case, float>);
  check_case<Case, float>(run_on_device<Case, float>);
}

TEST_CASE("edge_balanced on a device: extrema are the same bits as with automatic", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_same_bits<largest>(run_on_device<largest, float>, run_on_device<mapped<largest, by_edges>, float>, draw::grid);
}
