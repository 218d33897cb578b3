// Rows in blocks of other sizes, on a device: wide ones, whose launches choose.
#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Checks a case against the reference, and against the bits of blocks that the library chooses.
template <class Case, class With>
void check_blocks() {
  using Mapped = mapped<Case, With>;
  random_stream random(std::string(Case::name) + ", blocks");
  for (auto const& graph : {hub_alone(), random_skewed(), many_edges(), no_edges(300)}) {
    for (width const w : {width{1, 256}, width{4, 64}, width{4, 128}, width{1, 602}}) {
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto const request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
      check_request<Mapped, float>(run_on_device<Mapped, float>, request);
      CHECK(run_on_device<Mapped, float>(request).out == run_on_device<mapped<Case, as_stored>, float>(request).out);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("blocks on a device: take every edge once", "[mapping][gpu]", small_blocks, large_blocks) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
}

TEMPLATE_TEST_CASE("blocks on a device: wide rows", "[mapping][gpu]", max_of_differences, relu_of_biased_sum, gat) {
  skip_without_cuda_device();
  check_blocks<TestType, small_blocks>();
  check_blocks<TestType, large_blocks>();
}
