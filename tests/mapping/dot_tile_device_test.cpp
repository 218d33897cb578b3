#include "dot_tile_cases.hpp"

#include "check_mapping.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Rows that tiles of 64 and 128 elements divide, or end in a part of one; rows that are not aligned, of two heads, or
/// no wider than a tile, which are summed whole.
template <class Case>
void check_dot_tile() {
  random_stream random(std::string(Case::name) + ", contracted");
  for (auto const& graph : {directed(), one_hub(700, 40), no_edges(9), border_rows()}) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 128}, {1, 256}, {1, 132}, {1, 129}, {1, 602}, {1, 1000}, {2, 128}, {1, 64}}) {
      check_request<Case, float>(run_on_device<Case, float>,
                                 draw_request<Case, float>(graph, extents_of<Case>(w), random));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("dot_tile: values and gradients", "[mapping][gpu]", contracted_dot,
                   (mapped<edge_dot, contracted_and_partitioned>), contracted_score, contracted_dot_of_bfloat16,
                   contracted_dot_in_bfloat16) {
  skip_without_cuda_device();
  check_dot_tile<TestType>();
}

TEST_CASE("dot_tile: explain names the tiles and their launches", "[mapping][gpu]") {
  skip_without_cuda_device();
  using Catch::Contains;
  std::string const wide = explain_contracted(directed(), 200);
  CHECK_THAT(wide, Contains("forward: 1 traversal grouped by destination, 4 launches") &&
                       Contains("tiles of 64 elements") && Contains(" dot_tile=64 "));
  std::string const narrow = explain_contracted(directed(), 64);
  CHECK_THAT(narrow, Contains("forward: 1 traversal grouped by destination, 1 launch") && !Contains("tiles of"));
}

TEST_CASE("dot_tile: every channel once, whatever was in the output", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("dot_tile: every channel once");
  for (auto const& graph : {directed(), border_rows()}) {
    for (width const w : {width{1, 128}, {1, 132}, {1, 1000}}) {
      auto request = draw_request<contracted_exact_dot, float>(graph, w, random);
      request.asked_set = -1;
      CHECK(same_bits(run_on_device<contracted_exact_dot, float>(request).out,
                      run_on_device<exact_edge_dot, float>(request).out));
    }
  }
}
