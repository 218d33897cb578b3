// Gradients are arrays of their own: what a call reads is not overwritten, and no gradient is lost.
#include <edgewise/program/gradient_checks.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "support/test_graph.hpp"

using namespace edgewise;
using Catch::Contains;

namespace {

struct h;
struct w;
struct x;

/// On 3 vertices with 4 edges, one channel.
struct fixture {
  testing::test_graph const edges = testing::make_test_graph("four edges", 3, 3, {{0, 0}, {1, 0}, {2, 1}, {0, 1}});
  graph<csr_view<int, int>, csc_view<int, int>> const g{edges.csr(), edges.csc()};
  std::vector<float> memory = std::vector<float>(100, 1.0f);
  float* data = memory.data();

  auto in() {
    return bindings(bind<w>(per_row(data, 4)), bind<h>(wide(data + 10, 3, 1)), bind<x>(wide(data + 20, 3, 1)));
  }
  auto dy() { return grad_out(wide(data + 30, 3, 1)); }
  /// What backward says of these gradients; empty when it takes them. Nothing is written where it does not.
  template <class Program, class... Request>
  std::string refusal(Program const& program, Request const&... requests) {
    auto const plan = fuse(g, automatic{}, program).plan(cpu{}, in());
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in(), out(wide(data + 40, 3, 1)), saved);
    std::vector<float> const before = memory;
    try {
      plan.backward(cpu{}, in(), saved, dy(), requests...);
    } catch (invalid_argument const& error) {
      CHECK(memory == before);
      return error.what();
    }
    return {};
  }
};

constexpr auto program = gather<sum>(edge<w> * src<h>) + dst<x>;

}  // namespace

TEST_CASE("gradient_checks: no gradient is the array of grad_out or of an operand", "[program]") {
  fixture f;
  CHECK_THAT(f.refusal(program, grad<h>(wide(f.data + 30, 3, 1))),
             Contains("grad of src<h>: is the array of grad_out"));
  CHECK_THAT(f.refusal(program, grad<w>(per_row(f.data, 4))),
             Contains("grad of edge<w>: is the array of edge<w>; a gradient is an array of its own"));
  CHECK_THAT(f.refusal(program, accumulate<h>(wide(f.data + 20, 3, 1))),
             Contains("grad of src<h>: is the array of dst<x>"));
  CHECK(f.refusal(program, grad<h>(wide(f.data + 50, 3, 1)), grad<w>(per_row(f.data + 60, 4))).empty());
}

TEST_CASE("gradient_checks: no gradient overlaps another array in part", "[program]") {
  fixture f;
  CHECK_THAT(f.refusal(program, grad<h>(wide(f.data + 32, 3, 1))), Contains("grad of src<h>: overlaps grad_out"));
  CHECK_THAT(f.refusal(program, grad<w>(per_row(f.data + 18, 4))), Contains("grad of edge<w>: overlaps dst<x>"));
  CHECK_THAT(f.refusal(program, accumulate<h>(wide(f.data + 50, 3, 1)), accumulate<x>(wide(f.data + 52, 3, 1))),
             Contains("grad of src<h> and grad of dst<x>: overlap"));
  CHECK(f.refusal(program, grad<h>(wide(f.data + 50, 3, 1, 1, 2)), grad<x>(wide(f.data + 51, 3, 1, 1, 2))).empty());
}

TEST_CASE("gradient_checks: no gradient overwrites another", "[program]") {
  fixture f;
  CHECK_THAT(f.refusal(program, grad<h>(wide(f.data + 50, 3, 1)), grad<x>(wide(f.data + 50, 3, 1))),
             Contains("grad of src<h> and grad of dst<x>: are one array"));
  CHECK_THAT(f.refusal(program, grad<w>(per_row(f.data + 60, 4)), accumulate<h>(wide(f.data + 50, 3, 1)),
                       grad<x>(wide(f.data + 50, 3, 1))),
             Contains("are one array"));
}

TEST_CASE("gradient_checks: two gradients may be added to one array", "[program]") {
  fixture f;
  CHECK(f.refusal(program, accumulate<h>(wide(f.data + 50, 3, 1)), accumulate<x>(wide(f.data + 50, 3, 1))).empty());
  CHECK_THAT(f.refusal(program, accumulate<h>(wide(f.data + 50, 3, 1)),
                       accumulate<x>(wide(reinterpret_cast<bfloat16*>(f.data + 50), 3, 1))),
             Contains("overlap; two gradients may only be added to one array of one shape"));
  // 1, d/dx 1 each, d/dh the weights of a vertex's outgoing edges, all of them 1.
  CHECK(f.memory[50] == 4.0f);
  CHECK(f.memory[51] == 3.0f);
  CHECK(f.memory[52] == 3.0f);
}
