// What plans say about themselves.
#include <edgewise/execute/explain.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;
struct b;
struct drop;

/// Three vertices, four edges, rows of two elements.
struct arrays {
  std::vector<int> sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};
  coo<> edges = make_coo(vertices(3), sources, destinations);
  csr<> by_destination = to_csr(cpu{}, edges);
  csc<> by_source = to_csc(cpu{}, edges);
  std::vector<float> features = std::vector<float>(6), weights = std::vector<float>(4);

  template <class Program, class... More>
  std::string explain(Program const& program, More const&... more) const {
    auto const in = bindings(bind<h>(wide(features.data(), 3, 2)), more...);
    return fuse(graph{by_destination, by_source}, automatic{}, program).plan(cpu{}, in).explain();
  }
  auto bound_weights() const { return bind<w>(per_row(weights.data(), 4)); }
  auto bound_bias() const { return bind<b>(wide(features.data(), 1, 2)); }
};

Catch::Matchers::StdString::ContainsMatcher says(std::string const& text) { return Catch::Contains(text); }

}  // namespace

TEST_CASE("explain: constants and probabilities are numbers", "[execute]") {
  arrays const a;
  CHECK_THAT(a.explain(gather<sum>(src<h> * 0.25 + 3)), says("  gather<sum>(+(*(src<h>, 0.25), 3))\n"));
  CHECK_THAT(a.explain(gather<sum>(exp(src<h> * 2) * (src<h> * edge<w> * 7)), a.bound_weights()),
             says("  gather<sum>(*(exp(*(src<h>, 2)), *(*(src<h>, edge<w>), 7)))\n"));
  random_state const state{.seed = 1, .step = 0};
  CHECK_THAT(a.explain(gather<sum>(dropout<drop>(src<h>, 0.6)), bind<drop>(random_numbers(&state))),
             says("gather<sum>(dropout<drop>(src<h>, 0.6))"));
  auto const softmax_alone = a.explain(gather<sum>(softmax(dot(src<h>, dst<h>))));
  CHECK_THAT(softmax_alone, says("gather<sum>(softmax(sum_lanes(*(src<h>, dst<h>))) * 1)"));
}

TEST_CASE("explain: what is held has its own numbers", "[execute]") {
  arrays const a;
  auto const text = a.explain(gather<sum>(tanh(dst<h> * 3) * src<h> + exp(param<b> * 2) * src<h>), a.bound_bias());
  CHECK_THAT(text, says("  once a launch: exp(*(param<b>, 2))\n") && says("  once a row: tanh(*(dst<h>, 3))\n"));
}

TEST_CASE("explain: self edges, and gathers by number where an epilogue reads them", "[execute]") {
  arrays const a;
  auto const bare = a.explain(gather<mean>(with_self(src<h>)));
  CHECK_THAT(bare, says("  gather<mean>(with_self(src<h>))\n") && !says("gather0") && !says("epilogue:"));
  auto const attention = a.explain(gather<sum>(with_self(softmax(dot(src<h>, dst<h>)) * src<h>)));
  CHECK_THAT(attention, says("gather<sum>(with_self(softmax(sum_lanes(*(src<h>, dst<h>))) * src<h>))\n"));
  auto const range = a.explain(gather<edgewise::max>(src<h>) - gather<edgewise::min>(with_self(src<h>)));
  CHECK_THAT(range, says("  gather0 = gather<max>(src<h>)\n  gather1 = gather<min>(with_self(src<h>))\n"
                         "  epilogue: -(gather0, gather1)\n"));
}

TEST_CASE("explain: the bytes of an edge are those of operands", "[execute]") {
  arrays const a;
  CHECK_THAT(a.explain(gather<sum>(edge<w> * src<h> + dst<h>), a.bound_weights()),
             says("each edge: 12 bytes of operands (its neighbor and id not counted)"));
}

TEST_CASE("explain: backward has the traversals that the program and its graph allow", "[execute]") {
  arrays const a;
  std::string const asked = "backward, as far as gradients are asked for:\n";
  CHECK_THAT(a.explain(gather<sum>(src<h>)), says(asked + "  of sources: 1 traversal grouped by source\nat least"));
  CHECK_THAT(a.explain(relu(gather<sum>(edge<w> * (src<h> - dst<h>))), a.bound_weights()),
             says(asked + "  first 1 launch per vertex: epilogue, self edges, what edges read of their destination\n"
                          "  of destinations: 1 traversal grouped by destination\n"
                          "  of sources: 1 traversal grouped by source\n"
                          "  of edges and parameters: along with these, or else 1 traversal grouped by destination\n"));
  CHECK_THAT(a.explain(gather<sum>(edge<w> * 2) + dst<h>, a.bound_weights()),
             says("  of edges and parameters: 1 traversal grouped by destination\n") && !says("  of destinations:"));

  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const one_sided = fuse(graph{a.by_destination}, automatic{}, gather<sum>(src<h>)).plan(cpu{}, in);
  CHECK_THAT(one_sided.explain(), says("  of sources: none, the graph's edges are not grouped by source\n"));
}

TEST_CASE("explain: what is kept of each edge, and what is dear to compute again", "[execute]") {
  arrays const a;
  auto const attention = gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>);
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const explained = [&](auto policy) {
    return fuse(graph{a.by_destination}, automatic{}, attention, policy).plan(cpu{}, in).explain();
  };
  CHECK_THAT(
      explained(stash<automatic>{}),
      says("all else is recomputed\n  and 4 bytes an edge: sum_lanes(*(src<h>, dst<h>))\n") && !says("computed again"));
  CHECK_THAT(explained(recompute{}), says("  computed again for each edge, at a cost that grows with the lanes: "
                                          "sum_lanes(*(src<h>, dst<h>)) (stash<automatic> keeps it)\n"));
}

TEST_CASE("explain: a scattered gather is described alike", "[execute]") {
  arrays const a;
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const plan = fuse(graph{a.edges}, edge_balanced{}, gather<sum>(src<h> * 0.5)).plan(cpu{}, in);
  CHECK_THAT(plan.explain(), says("  gather<sum>(*(src<h>, 0.5)), scattered") &&
                                 says("8 bytes of operands (its endpoints and id not counted), 8 bytes of atomics"));
  auto const attention =
      fuse(graph{a.edges}, edge_balanced{}, gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>)).plan(cpu{}, in);
  CHECK_THAT(attention.explain(),
             says("3 traversals of equal shares of edges, 3 launches") && says("saved: 4 bytes a destination") &&
                 says("backward: the inner term at destinations, then 1 traversal for all gradients"));
}

TEST_CASE("explain: what passes cost at least", "[execute]") {
  arrays const a;
  auto const text = a.explain(gather<sum>(edge<w> * src<h>), a.bound_weights());
  CHECK_THAT(text, says("  each edge: 12 bytes of operands (its neighbor and id not counted), 4 flops\n"));
  CHECK_THAT(
      text, says("  forward: 12 bytes an edge, 8 of them gathered, 4 flops; 8 bytes a row, 0 flops; all 120 bytes, 112 "
                 "where a gathered row is read once, 16 flops\n"));
  CHECK_THAT(text,
             says("  backward by source: 16 bytes an edge, 8 of them gathered, 8 flops; 16 bytes a row, 0 flops; all "
                  "160 bytes, 152 where a gathered row is read once, 32 flops\n"));
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const edges = fuse(graph{a.by_destination}, automatic{}, scatter(dot(src<h>, dst<h>))).plan(cpu{}, in);
  CHECK_THAT(edges.explain(), says("  forward: 12 bytes an edge, 8 of them gathered, 4 flops; 8 bytes a row"));
  CHECK_THAT(edges.explain(), says("  backward by destination: 12 bytes an edge") && !says("backward by source"));
}
