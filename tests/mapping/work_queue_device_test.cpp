#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

using largest = extremum_of_neighbors<edgewise::max>;

TEMPLATE_TEST_CASE("work_queue on a device: takes every edge once", "[mapping][gpu]", queued, queued_as_stored) {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_device<mapped<exact_sum, TestType>, float>);
}

TEMPLATE_TEST_CASE("work_queue on a device: values and gradients", "[mapping][gpu]", gatv2, largest,
                   relu_of_biased_sum) {
  skip_without_cuda_device();
  using Case = mapped<TestType, queued>;
  check_mapping<Case>(run_on_device<Case, float>);
  check_case<Case, float>(run_on_device<Case, float>);
}

TEST_CASE("work_queue on a device: the same bits, whoever takes a row", "[mapping][gpu]") {
  skip_without_cuda_device();
  auto const by_degree = run_on_device<mapped<gatv2, queued>, float>;
  check_same_bits<gatv2>(by_degree, by_degree);
  check_same_bits<gatv2>(by_degree, run_on_device<mapped<gatv2, queued_as_stored>, float>);
}
