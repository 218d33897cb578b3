// Rows in blocks of other sizes, on a device.
#include "check_mapping.hpp"
#include "execute/device_run.hpp"
#include "gather/max_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("blocks on a device: take every edge once", "[mapping][gpu]", small_blocks, large_blocks) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
}

TEMPLATE_TEST_CASE("blocks on a device: against references", "[mapping][gpu]", max_of_differences, relu_of_biased_sum,
                   gat) {
  skip_without_cuda_device();
  check_mapping<mapped<TestType, small_blocks>>(run_on_device<mapped<TestType, small_blocks>, float>);
  check_mapping<mapped<TestType, large_blocks>>(run_on_device<mapped<TestType, large_blocks>, float>);
}
