// Rows in narrow tiles, on a device: CPUs take rows whole.
#include "check_mapping.hpp"
#include "execute/device_run.hpp"
#include "gather/max_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// On rows that tiles divide, and on rows that are not aligned and stay whole.
template <class Case>
void check_tiles(std::vector<test_graph> const& graphs) {
  random_stream random(std::string(Case::name) + ", in tiles");
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 128}, width{4, 64}, width{1, 129}}) {
      check_request<Case, float>(run_on_device<Case, float>,
                                 draw_request<Case, float>(graph, extents_of<Case>(w), random));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("tiles on a device: take every edge once", "[mapping][gpu]", tiled, tiled_and_partitioned) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
  check_every_edge_once<of>(run_on_device<of, float>, partitioned_graphs());
}

TEMPLATE_TEST_CASE("tiles on a device: maxima, and what needs lanes together, against references", "[mapping][gpu]",
                   max_of_differences, deviation_of_weighted, relu_of_biased_sum, gat) {
  skip_without_cuda_device();
  check_tiles<mapped<TestType, tiled>>(mapping_graphs());
  check_tiles<mapped<TestType, tiled_and_partitioned>>(partitioned_graphs());
}
