#include "dropout_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dropped weights on a device: values and gradients on the battery", "[program][gpu]",
                   dropped_attention, dropped_attention_with_self) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("dropped weights on a device: rows that are cut", "[program][gpu]") {
  skip_without_cuda_device();
  check_cut_rows<dropped_attention, float>(run_on_device<dropped_attention, float>);
}

TEST_CASE("dropped weights on a device: heads that a block holds", "[program][gpu]") {
  skip_without_cuda_device();
  using wide_mask = dropped_attention_with_self;
  random_stream random("dropped weights: heads that a block holds");
  auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{2, 1433}, width{3, 2305}, width{2, 4096}}) {
    check_request<wide_mask, float>(run_on_device<wide_mask, float>, draw_request<wide_mask, float>(graph, w, random));
  }
}
