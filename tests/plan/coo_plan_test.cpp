#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;

struct small_graph {
  std::vector<int> sources{0, 1, 2, 1};
  std::vector<int> destinations{0, 0, 1, 1};
  coo_view<> coo{sources.data(), destinations.data(), nullptr, 3, 2, 4};
};

}  // namespace

TEST_CASE("edge_balanced: shares take every edge once, in order", "[plan]") {
  for (int const num_edges : {0, 1, 31, 32, 33, 1000}) {
    for (int const num_shares : {1, 3, 64}) {
      int const length = detail::share_length(num_edges, num_shares);
      CHECK(static_cast<long long>(length) * num_shares >= num_edges);
      int next = 0;
      for (int share = 0; share < num_shares; ++share) {
        auto const range = detail::edge_share(num_edges, length, share);
        CHECK(range.begin == next);
        CHECK(range.end - range.begin <= length);
        next = range.end;
      }
      CHECK(next == num_edges);
    }
  }
}

TEST_CASE("scatter: a plan says what it runs and keeps", "[plan]") {
  small_graph const g;
  std::vector<float> const features(6), weights(4);
  auto const in = bindings(bind<h>(wide(features.data(), 3, 2)), bind<w>(per_row(weights.data(), 4)));
  auto const sum_plan = fuse(graph{g.coo}, edge_balanced{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  CHECK(sum_plan.workspace_bytes() == 0);
  CHECK(sum_plan.make_saved(cpu{}).size_bytes() == 0);
  CHECK_THAT(sum_plan.explain(), Catch::Contains("edge_balanced") && Catch::Contains("1 launch\n") &&
                                     Catch::Contains("gather<sum>") && Catch::Contains("not bitwise reproducible"));
  auto const max_plan = fuse(graph{g.coo}, edge_balanced{}, gather<edgewise::max>(edge<w> * src<h>)).plan(cpu{}, in);
  std::vector<float> values(4);  // the fewest bytes: rows of two destinations are written
  auto const cost = sum_plan.forward_cost(out(wide(values.data(), 2, 2)));
  CHECK(cost.traversals.size() == 1);
  CHECK(cost.compulsory_bytes() > 2 * 2 * 4);
  CHECK(max_plan.workspace_bytes() == 2 * 2 * 8);  // a word for each element of each destination
  CHECK_THAT(max_plan.explain(), Catch::Contains("2 launches") && Catch::Contains("saved: 8 bytes a destination"));
}

TEST_CASE("scatter: wrong shapes are refused by name", "[plan]") {
  small_graph const g;
  std::vector<float> features(6), weights(4), values(4), gradient(6);
  auto const kernel = fuse(graph{g.coo}, edge_balanced{}, gather<sum>(edge<w> * src<h>));
  auto const wrong = bindings(bind<h>(wide(features.data(), 2, 2)), bind<w>(per_row(weights.data(), 4)));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, wrong), Catch::Contains("src<h>: has 2 rows, the graph has 3 sources"));
  auto const in = bindings(bind<h>(wide(features.data(), 3, 2)), bind<w>(per_row(weights.data(), 4)));
  auto const plan = kernel.plan(cpu{}, in);
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(values.data(), 3, 2))),
                    Catch::Contains("out: has 3 rows, the graph has 2 destinations"));
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(wide(values.data(), 2, 2)), saved);
  CHECK_THROWS_WITH(
      plan.backward(cpu{}, in, saved, grad_out(wide(values.data(), 2, 2)), grad<h>(wide(gradient.data(), 2, 2))),
      Catch::Contains("grad of src<h>"));
  CHECK_THROWS_AS(
      plan.backward(cpu{}, in, saved, grad_out(wide(values.data(), 2, 1)), grad<h>(wide(gradient.data(), 3, 2))),
      invalid_argument);
}

TEST_CASE("scatter: the output must not be an operand", "[plan]") {
  small_graph const g;
  std::vector<float> const features(6);
  std::vector<float> values(2);
  auto const in = bindings(bind<h>(wide(features.data(), 3, 1)), bind<w>(wide(values.data(), 2, 1)));
  auto const plan = fuse(graph{g.coo}, edge_balanced{}, gather<sum>(src<h> + dst<w>)).plan(cpu{}, in);
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(values.data(), 2, 1))),
                    Catch::Contains("out: is the array of dst<w>, which is read while out is written"));
}

TEST_CASE("scatter: no gradient is written over the output that the backward pass reads", "[plan]") {
  small_graph const g;
  std::vector<float> const keys(6, 1), queries(4, 1), adjoint(4, 1);
  std::vector<float> memory(20);
  auto const in = bindings(bind<h>(wide(keys.data(), 3, 2)), bind<w>(wide(queries.data(), 2, 2)));
  auto const program = gather<sum>(softmax(dot(dst<w>, src<h>)) * src<h>);
  auto const plan = fuse(graph{g.coo}, edge_balanced{}, program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(wide(memory.data() + 8, 2, 2)), saved);
  auto const ask = [&](float* to) {
    plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 2, 2)), grad<h>(wide(to, 3, 2)));
  };
  CHECK_THROWS_WITH(ask(memory.data() + 8), Catch::Contains("shares memory with the output"));
  CHECK_THROWS_WITH(ask(memory.data() + 3), Catch::Contains("shares memory with the output"));
  CHECK_NOTHROW(ask(memory.data() + 12));
  CHECK_NOTHROW(ask(memory.data() + 2));
}

TEST_CASE("scatter: extrema refuse more edges than words can number", "[plan]") {
  int const none = 0;
  coo_view<int, long long> const coo{&none, &none, nullptr, 1, 1, (1ll << 31) + 1};
  float const feature = 1;
  auto const in = bindings(bind<h>(per_row(&feature, 1)));
  CHECK_THROWS_WITH(fuse(graph{coo}, edge_balanced{}, gather<edgewise::max>(src<h>)).plan(cpu{}, in),
                    Catch::Contains("2147483649 edges") && Catch::Contains("at most 2147483648"));
}

TEST_CASE("scatter: one tensor read by edge and by source has one gradient", "[plan]") {
  // As many edges as sources, so that h can be both.
  std::vector<int> const sources{1, 1, 0}, destinations{0, 1, 1};
  coo_view<> const coo{sources.data(), destinations.data(), nullptr, 3, 2, 3};
  std::vector<float> const features{2, 3, 5}, adjoint{1, 10};
  std::vector<float> gradient(3, -1);
  auto const in = bindings(bind<h>(per_row(features.data(), 3)));
  auto const plan = fuse(graph{coo}, edge_balanced{}, gather<sum>(edge<h> * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> values(2);
  plan.forward(cpu{}, in, out(per_row(values.data(), 2)), saved);
  CHECK(values == std::vector<float>{2 * 3, 3 * 3 + 5 * 2});
  plan.backward(cpu{}, in, saved, grad_out(per_row(adjoint.data(), 2)), grad<h>(per_row(gradient.data(), 3)));
  // d/d h[0]: 1 * h[1] as edge 0, 10 * h[2] as source of edge 2; and so on.
  CHECK(gradient == std::vector<float>{3 + 50, 30 + 1 * 2 + 10 * 3, 10 * 2});
}
