#include "head_sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("sums over heads on a device: values and gradients on the battery", "[program][gpu]", summed_heads,
                   mean_of_attention) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("sums over heads on a device: rows that are cut", "[program][gpu]") {
  skip_without_cuda_device();
  check_cut_rows<summed_heads, float>(run_on_device<summed_heads, float>);
}

TEST_CASE("sums over heads on a device: many heads, and channels that are cut", "[program][gpu]") {
  skip_without_cuda_device();
  random_stream random("head sums on a device: many heads");
  static auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{70, 5}, width{100, 32}, width{3, 256}, width{128, 8}, width{7, 1433}}) {
    check_request<summed_heads, float>(run_on_device<summed_heads, float>,
                                       draw_request<summed_heads, float>(graph, w, random));
  }
}
