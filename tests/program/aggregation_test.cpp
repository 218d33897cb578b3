// How messages become aggregations: what is a factor of a softmax stays one.
#include <edgewise/program/aggregation.hpp>

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "support/graphs.hpp"
#include "support/mask.hpp"

using namespace edgewise;

namespace {

struct h;
struct s;
struct drop;

/// A star of three edges into vertex 0, scores 0, 1 and 2, and one channel.
struct fixture {
  testing::test_graph const edges = testing::make_test_graph("star", 4, 1, {{1, 0}, {2, 0}, {3, 0}});
  std::vector<float> features{0, 1, 2, 4};
  std::vector<float> scores{0, 1, 2};
  random_state state{2, 0};

  template <class Program, class... Mask>
  float value(Program const& program, Mask const&... mask) const {
    float result = -1;
    auto const in = bindings(bind<h>(wide(features.data(), 4, 1)), bind<s>(per_row(scores.data(), 3)), mask...);
    auto const plan = fuse(graph{edges.csr()}, automatic{}, program).plan(cpu{}, in);
    plan.forward(cpu{}, in, out(wide(&result, 1, 1)));
    return result;
  }
};

}  // namespace

TEST_CASE("softmax: constant factors count wherever they stand", "[program]") {
  fixture const f;
  float const once = f.value(gather<sum>(softmax(edge<s>) * src<h>));
  CHECK(once > 1);
  CHECK(f.value(gather<sum>(softmax(edge<s>) * 2.0 * src<h>)) == 2 * once);
  CHECK(f.value(gather<sum>(2.0 * softmax(edge<s>) * src<h>)) == 2 * once);
  CHECK(f.value(gather<sum>(src<h> * (4.0 * softmax(edge<s>)) * 0.5)) == 2 * once);
  CHECK(f.value(gather<sum>(softmax(edge<s>) * src<h> * 2.0)) == 2 * once);
}

TEST_CASE("softmax: dropout of weights keeps their factors, and leaves out what is dropped by selection", "[program]") {
  fixture f;
  auto const mask = bind<drop>(random_numbers(&f.state));
  float const dropped = f.value(gather<sum>(dropout<drop>(softmax(edge<s>), 0.5) * src<h>), mask);
  CHECK(f.value(gather<sum>(dropout<drop>(softmax(edge<s>) * 2.0, 0.5) * src<h>), mask) == 2 * dropped);
  CHECK(f.value(gather<sum>(2.0 * dropout<drop>(softmax(edge<s>), 0.5) * src<h>), mask) == 2 * dropped);

  bool any = false;
  for (int k = 0; k < 3; ++k) {
    if (testing::mask_bits({f.state.seed, 0}, 0, random_owner::edge, static_cast<std::uint64_t>(k), 0) < 0x8000u) {
      f.features[static_cast<std::size_t>(k) + 1] = INFINITY;
      any = true;
    }
  }
  REQUIRE(any);
  CHECK(f.value(gather<sum>(dropout<drop>(softmax(edge<s>), 0.5) * src<h>), mask) == dropped);
}
