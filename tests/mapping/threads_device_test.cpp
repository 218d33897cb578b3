// Rows taken by half the threads, on a device: those of 33 to 128 elements, whose launches choose.
#include "check_half_groups.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"
#include "threads_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// One head and several, rows that fill the group's words and that do not, and such as have one kind of group alone.
constexpr width widths[] = {{1, 36}, {1, 64}, {4, 16}, {1, 100}, {2, 64}, {1, 128}, {1, 33}, {1, 136}, {1, 256}};

}  // namespace

TEMPLATE_TEST_CASE("half groups on a device: take every edge once", "[mapping][gpu]", half_groups,
                   half_groups_in_tiles) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
  check_every_edge_once<of>(run_on_device<of, float>, partitioned_graphs());
}

TEST_CASE("half groups on a device: sums, and maxima of rows that are cut and whole", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_half_groups<relu_of_biased_sum, half_groups>(widths);
  check_half_groups<max_of_differences, half_groups>(widths);
  check_half_groups<max_of_differences, half_groups_of_whole_rows>(widths);
}

TEST_CASE("half groups on a device: sums of bfloat16", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_half_groups<bfloat16_sum, half_groups>(widths);
}

TEST_CASE("half groups on a device: inner products and their gradients", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_half_groups<edge_dot, half_groups, true>(widths);
}

TEST_CASE("half groups on a device: gradients of rows have the bits of groups of all threads", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_same_bits<sum_of_rows>(run_on_device<mapped<sum_of_rows, half_groups>, float>,
                               run_on_device<mapped<sum_of_rows, as_stored>, float>, draw::uniform,
                               {hub_alone(), hub_of_sources(), many_edges()}, {{1, 64}, {4, 16}, {1, 100}, {1, 128}});
}

TEST_CASE("half groups on a device: run where rows are cut too, by their inner products' roundings", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("half groups: roundings");
  test_graph const graph = hub_of_sources();
  for (width const w : {width{1, 64}, width{1, 128}}) {
    INFO(w.channels << " channels");
    auto request = draw_request<rounded_sum, float>(graph, w, random);
    request.asked_set = 0;
    auto const halved = run_on_device<mapped<rounded_sum, half_groups>, float>(request);
    auto const whole = run_on_device<mapped<rounded_sum, as_stored>, float>(request);
    CHECK_FALSE(same_bits(halved.gradients.at(0), whole.gradients.at(0)));  // of the weights
    CHECK(same_bits(halved.gradients.at(1), whole.gradients.at(1)));
  }
}

TEST_CASE("half groups on a device: inner products of multiples of 1/16, every channel once", "[mapping][gpu]") {
  skip_without_cuda_device();
  using halved = mapped<exact_edge_dot, half_groups>;
  random_stream random("half groups: every channel once");
  for (auto const& graph : {directed(), border_rows(), one_hub(700, 40)}) {
    for (width const w : widths) {
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto request = draw_request<exact_edge_dot, float>(graph, w, random);
      request.asked_set = -1;
      CHECK(same_bits(run_on_device<halved, float>(request).out, run_on_device<exact_edge_dot, float>(request).out));
    }
  }
}
