#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

using largest = extremum_of_neighbors<edgewise::max>;

TEMPLATE_TEST_CASE("vertex_balanced on a device: takes every edge once", "[mapping][gpu]", uncut, uncut_by_degree) {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_device<mapped<exact_sum, TestType>, float>);
}

TEMPLATE_TEST_CASE("vertex_balanced on a device: values and gradients", "[mapping][gpu]", gatv2, largest) {
  skip_without_cuda_device();
  using Case = mapped<TestType, uncut>;
  check_mapping<Case>(run_on_device<Case, float>);
  check_case<Case, float>(run_on_device<Case, float>);
}

TEST_CASE("vertex_balanced on a device: the order of rows changes no bit", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_same_bits<gatv2>(run_on_device<mapped<gatv2, uncut>, float>,
                         run_on_device<mapped<gatv2, uncut_by_degree>, float>);
}

TEST_CASE("vertex_balanced on a device: extrema are the same bits as with automatic", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_same_bits<largest>(run_on_device<largest, float>, run_on_device<mapped<largest, uncut>, float>, draw::grid);
}
