// What plans say about themselves.
#include <edgewise/explain/explain.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"

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

auto says(std::string const& text) { return Catch::Contains(text); }

}  // namespace

TEST_CASE("explain: constants and probabilities are numbers", "[explain]") {
  arrays const a;
  CHECK_THAT(a.explain(gather<sum>(src<h> * 0.25 + 3)), says("  gather<sum>(src<h> * 0.25 + 3)\n"));
  CHECK_THAT(a.explain(gather<sum>(exp(src<h> * 2) * (src<h> * edge<w> * 7)), a.bound_weights()),
             says("  gather<sum>(exp(src<h> * 2) * (src<h> * edge<w> * 7))\n"));
  random_state const state{.seed = 1, .step = 0};
  CHECK_THAT(a.explain(gather<sum>(dropout<drop>(src<h>, 0.6)), bind<drop>(random_numbers(&state))),
             says("gather<sum>(dropout<drop>(src<h>, 0.6))"));
  auto const softmax_alone = a.explain(gather<sum>(softmax(dot(src<h>, dst<h>))));
  CHECK_THAT(softmax_alone, says("gather<sum>(softmax(dot(src<h>, dst<h>)))"));
}

TEST_CASE("explain: what is held has its own numbers", "[explain]") {
  arrays const a;
  auto const text = a.explain(gather<sum>(tanh(dst<h> * 3) * src<h> + exp(param<b> * 2) * src<h>), a.bound_bias());
  CHECK_THAT(text, says("  once a launch: exp(param<b> * 2)\n") && says("  once a row: tanh(dst<h> * 3)\n"));
}

TEST_CASE("explain: self edges, and gathers by number where an epilogue reads them", "[explain]") {
  arrays const a;
  auto const bare = a.explain(gather<mean>(with_self(src<h>)));
  CHECK_THAT(bare, says("  gather<mean>(with_self(src<h>))\n") && !says("gather0") && !says("epilogue:"));
  auto const attention = a.explain(gather<sum>(with_self(softmax(dot(src<h>, dst<h>)) * src<h>)));
  CHECK_THAT(attention, says("gather<sum>(with_self(softmax(dot(src<h>, dst<h>)) * src<h>))\n"));
  auto const range = a.explain(gather<edgewise::max>(src<h>) - gather<edgewise::min>(with_self(src<h>)));
  CHECK_THAT(range, says("  gather0 = gather<max>(src<h>)\n  gather1 = gather<min>(with_self(src<h>))\n"
                         "  epilogue: gather0 - gather1\n"));
}

TEST_CASE("explain: as JSON", "[explain]") {
  arrays const a;
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)), a.bound_weights());
  auto const plan =
      fuse(graph{a.by_destination, a.by_source}, automatic{}, gather<sum>(edge<w> * src<h> + dst<h>)).plan(cpu{}, in);
  auto const told = nlohmann::json::parse(plan.explain_json());
  std::string lines;
  for (auto const& line : told["explain"]) lines += line.get<std::string>() + "\n";
  CHECK(lines == plan.explain());
  CHECK(told["policy"] == to_string(plan.policy()));
  CHECK(told["workspace_bytes"] == plan.workspace_bytes());
  REQUIRE(told["forward"].size() == 1);
  CHECK(told["forward"][0]["edges"] == 4);
  CHECK(told["forward"][0]["gathered_bytes"] == 8);
  CHECK(told["backward"].size() > 1);
  CHECK(detail::json_string("a \"b\" \\ \n") == R"("a \"b\" \\  ")");
}

TEST_CASE("explain: the bytes of an edge are those of operands", "[explain]") {
  arrays const a;
  CHECK_THAT(a.explain(gather<sum>(edge<w> * src<h> + dst<h>), a.bound_weights()),
             says("each edge: 12 bytes of operands (its neighbor and id not counted)"));
}

TEST_CASE("explain: backward has the traversals that the program and its graph allow", "[explain]") {
  arrays const a;
  std::string const asked = "backward, as far as gradients are asked for:\n";
  CHECK_THAT(a.explain(gather<sum>(src<h>)), says(asked + "  of sources: 1 traversal grouped by source\nat least"));
  CHECK_THAT(a.explain(relu(gather<sum>(edge<w> * (src<h> - dst<h>))), a.bound_weights()),
             says(asked + "  first 1 launch over vertices: epilogue, what edges read of their destination\n"
                          "  of destinations: 1 traversal grouped by destination\n"
                          "  of sources: 1 traversal grouped by source\n"
                          "  of edges and parameters: along with these, or else 1 traversal grouped by destination\n"));
  CHECK_THAT(a.explain(gather<sum>(with_self(src<h>))),
             says("  first 1 launch over vertices: self edges, what edges read of their destination\n"));
  CHECK_THAT(a.explain(gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>)),
             says("  first 1 launch over vertices: what edges read of their destination; none where the traversal "
                  "by destination forms gradients of scores, which prepares it\n"));
  CHECK_THAT(a.explain(relu(gather<sum>(softmax(edge<w>) * src<h>)), a.bound_weights()),
             says("  first 1 launch over vertices: epilogue, what edges read of their destination\n"));
  CHECK_THAT(a.explain(gather<sum>(edge<w> * 2) + dst<h>, a.bound_weights()),
             says("  of edges and parameters: 1 traversal grouped by destination\n") && !says("  of destinations:"));

  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const one_sided = fuse(graph{a.by_destination}, automatic{}, gather<sum>(src<h>)).plan(cpu{}, in);
  CHECK_THAT(one_sided.explain(), says("  of sources: none, the graph's edges are not grouped by source\n"));
}

TEST_CASE("explain: what is kept of each edge, and what is dear to compute again", "[explain]") {
  arrays const a;
  auto const attention = gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>);
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const explained = [&](auto policy) {
    return fuse(graph{a.by_destination}, automatic{}, attention, policy).plan(cpu{}, in).explain();
  };
  CHECK_THAT(explained(stash<automatic>{}),
             says("all else is recomputed\n  and 4 bytes an edge: dot(src<h>, dst<h>)\n") && !says("computed again"));
  CHECK_THAT(explained(recompute{}), says("  computed again for each edge, at a cost that grows with the channels: "
                                          "dot(src<h>, dst<h>) (stash<automatic> keeps it)\n"));
}

TEST_CASE("explain: a scattered gather is described alike", "[explain]") {
  arrays const a;
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const plan = fuse(graph{a.edges}, edge_balanced{}, gather<sum>(src<h> * 0.5)).plan(cpu{}, in);
  CHECK_THAT(plan.explain(), says("  gather<sum>(src<h> * 0.5), scattered") &&
                                 says("8 bytes of operands (its endpoints and id not counted), 8 bytes of atomics"));
  auto const attention =
      fuse(graph{a.edges}, edge_balanced{}, gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>)).plan(cpu{}, in);
  CHECK_THAT(attention.explain(),
             says("3 traversals of equal shares of edges, 3 launches") && says("saved: 8 bytes a destination") &&
                 says("backward: the inner term at destinations, then 1 traversal for all gradients"));
}

TEST_CASE("explain: what passes cost at least", "[explain]") {
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

namespace {

/// Round numbers: milliseconds are thousandths of bytes copied.
constexpr machine_ceilings slow_machine{
    .copy = 1e6, .gather_from_memory = 2e5, .gather_from_cache = 2e6, .cache_bytes = 24, .flops = 1e6};
machine_ceilings slow_machine_with(double cache_bytes, double flops) {
  machine_ceilings m = slow_machine;
  m.cache_bytes = cache_bytes;
  m.flops = flops;
  return m;
}

}  // namespace

TEST_CASE("explain: what passes take at the ceilings of a machine", "[explain]") {
  arrays const a;
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)), a.bound_weights());
  auto const plan =
      fuse(graph{a.by_destination, a.by_source}, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  // forward: 112 bytes at least, 32 of 120 gathered from a table of 24 bytes, 16 flops
  auto const text = plan.explain(slow_machine);
  CHECK_THAT(text, Catch::StartsWith(plan.explain() +
                                     "at least, at the ceilings of a machine: copy 0.001 GB/s, "
                                     "gather from memory 0.0002 GB/s, from 2.4e-05 MB of cache 0.002 GB/s, 0.001 "
                                     "Gflop/s:\n"));
  CHECK_THAT(text, says("  forward: 0.112 ms for the compulsory bytes, 0.104 with each gathered row once an edge, from "
                        "cache, 0.016 for the flops; roofline 0.112 ms by bytes\n"));
  // backward: 152 bytes at least, 32 of 160 gathered, 32 flops
  CHECK_THAT(text, says("  backward by source: 0.152 ms for the compulsory bytes, 0.144 with each gathered row once an "
                        "edge, from cache, 0.032 for the flops; roofline 0.152 ms by bytes\n"));
  CHECK_THAT(text, !says("measured"));
  CHECK_THAT(plan.explain(slow_machine_with(23, 1e5)),
             says("  forward: 0.112 ms for the compulsory bytes, 0.248 with each gathered row once an edge, from "
                  "memory, 0.16 for the flops; roofline 0.16 ms by flops\n"));
  CHECK_THAT(plan.explain({.copy = 1e6}),
             says("  forward: 0.112 ms for the compulsory bytes; roofline 0.112 ms by bytes\n"));

  auto const measured = plan.explain(slow_machine, {.forward_ms = 0.448});
  CHECK_THAT(measured, says("  forward, measured: 0.448 ms, 25% of the floor, 23.2% of the gather ceiling, 25% of the "
                            "roofline, 0.0002679 GB/s gathered and streamed\n") &&
                           !says("backward, measured"));
  CHECK_THAT(plan.explain(slow_machine, {.backward_ms = 1.52}),
             says("  backward, measured: 1.52 ms, 10% of the floor, 9.5% of the gather ceiling, 10% of the roofline"));
  CHECK_THROWS_WITH(plan.explain(machine_ceilings{.flops = 1e6}),
                    "machine_ceilings: copy is 0 bytes a second, it must be more than 0");
}

TEST_CASE("explain: a call of several launches is bounded as a whole", "[explain]") {
  arrays const a;
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const plan = fuse(graph{a.by_destination}, automatic{}, scatter(softmax(dot(src<h>, dst<h>)))).plan(cpu{}, in);
  std::vector<float> weights(4);
  plan_cost const cost = plan.forward_cost(out(per_head(weights.data(), 4, 1)));
  // offsets and neighbors 32, features 24, normalizers 24; the second launch also reads ids and writes weights, 16 each
  CHECK(
      explain(cost, slow_machine, 0.96) ==
      "  forward, normalizers: 0.08 ms for the compulsory bytes, 0.096 with each gathered row once an edge, from "
      "cache, 0.06 for the flops; roofline 0.08 ms by bytes\n"
      "  forward: 0.112 ms for the compulsory bytes, 0.128 with each gathered row once an edge, from cache, 0.032 for "
      "the flops; roofline 0.112 ms by bytes\n"
      "  call, all: 0.192 ms for the compulsory bytes, 0.224 with each gathered row once an edge, from cache, 0.092 "
      "for the flops; roofline 0.192 ms by bytes\n"
      "  call, measured: 0.96 ms, 20% of the floor, 23.3% of the gather ceiling, 20% of the roofline, 0.0002667 GB/s "
      "gathered and streamed\n");
  // the plan of edges says the same of its passes
  CHECK_THAT(plan.explain(slow_machine), says("  forward, all: 0.192 ms for the compulsory bytes, 0.224 with each"));
}

TEST_CASE("explain: scattered passes at the ceilings of a machine", "[explain]") {
  arrays const a;
  auto const explained = [&](auto const& program, auto const&... more) {
    auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)), more...);
    return fuse(graph{a.edges}, edge_balanced{}, program).plan(cpu{}, in).explain(slow_machine, {.forward_ms = 1});
  };
  // endpoints 32; weights 16 and their gradient 16; features, sums, adjoints and gradients 24 each
  auto const sum_text = explained(gather<sum>(edge<w> * src<h>), a.bound_weights());
  CHECK_THAT(sum_text, says("  forward: 0.096 ms for the compulsory bytes, 0.088 with each gathered row once an edge, "
                            "from cache, 0.016 for the flops; roofline 0.096 ms by bytes\n"));
  CHECK_THAT(sum_text, says("  forward, measured: 1 ms, 9.6% of the floor, 8.8% of the gather ceiling, 9.6% of the "
                            "roofline"));
  CHECK_THAT(sum_text,
             says("  backward: 0.136 ms for the compulsory bytes, 0.128 with each gathered row once an edge"));
  // values and arguments 24 each; backward reads no features
  auto const max_text = explained(gather<edgewise::max>(src<h>));
  CHECK_THAT(max_text, says("  forward: 0.104 ms for the compulsory bytes, 0.096 with each gathered row once"));
  CHECK_THAT(max_text, says("  backward: 0.104 ms for the compulsory bytes, 0.008 for the flops; roofline 0.104 ms"));
  // features are one tensor: 24; output of edges 16, normalizers 24, flops of a score, its fold and its weight
  CHECK_THAT(
      explained(scatter(softmax(dot(src<h>, dst<h>)))),
      says("  forward: 0.096 ms for the compulsory bytes, 0.112 with each gathered row once an edge, from cache, "
           "0.092 for the flops; roofline 0.096 ms by bytes\n"));
  // endpoints 32, features 24, weights 16, adjoints of edges 16, gradients 24, 24 and 16
  CHECK_THAT(explained(scatter(edge<w> * dot(src<h>, dst<h>)), a.bound_weights()),
             says("  forward: 0.088 ms for the compulsory bytes") && says("  backward: 0.152 ms for the compulsory"));
}
