// What a plan promises beyond right values: the same bits whoever computes them, memory, and that it may be used again.
#include <edgewise/plan/plan.hpp>

#include <functional>
#include <utility>

#include "check_case.hpp"
#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"
#include "host_slots.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("plan: the same bits for any number of threads", "[plan]", weighted_sum<operand_kind::per_row>,
                   gatv2, several_gathers) {
  random_stream random("plan: threads");
  for (auto const& [graph, channels] :
       {std::pair(random_skewed(), 12), std::pair(one_hub(), 12), std::pair(chain(9), 3)}) {
    INFO(graph.name);
    auto request = draw_request<TestType, float>(graph, {2, channels}, random);
    request.asked_set = 0;
    check_any_threads(run_on_host<first_set<TestType>, float>, request);
  }
}

#if defined(_OPENMP)
TEST_CASE("plan: little work is left to one thread", "[plan]") {
  cpu const exec{.threads = 7};
  CHECK(edgewise::detail::num_threads(exec, 16383) == 1);
  CHECK(edgewise::detail::num_threads(exec, 16384) == 7);
  CHECK(edgewise::detail::num_threads(cpu{}, 1 << 20) == omp_get_max_threads());
}
#endif

namespace {

constexpr std::size_t in_whole_blocks(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

template <class Case>
run_result<float> run_some(test_graph const& graph, width extents) {
  random_stream random("plan: memory");
  auto request = draw_request<Case, float>(graph, extents, random);
  request.asked_set = 0;
  return run_on_host<first_set<Case>>(request);
}

}  // namespace

TEST_CASE("plan: keeps no more than the backward pass reads", "[plan]") {
  auto const graph = directed();
  width const extents{2, 12};
  std::size_t const rows = static_cast<std::size_t>(graph.num_destinations);
  std::size_t const wide = in_whole_blocks(rows * 2 * 12 * 4);
  std::size_t const narrow = in_whole_blocks(rows * 2 * 8);
  CHECK(run_some<weighted_sum<operand_kind::per_row>>(graph, extents).saved_bytes == 0);
  CHECK(run_some<mean_and_self>(graph, extents).saved_bytes == 0);  // its derivative reads no value
  CHECK(run_some<extremum_of_neighbors<edgewise::max>>(graph, {2, 1}).saved_bytes ==
        in_whole_blocks(rows * 2 * 4));  // arguments
  // for gradients along argument edges their sources too, where edges are numbered otherwise than they lie
  test_graph const many = random_skewed(100, 1000);
  CHECK(run_some<extremum_of_neighbors<edgewise::max>>(many, {2, 16}).saved_bytes ==
        2 * in_whole_blocks(std::size_t{100} * 2 * 16 * 4));
  CHECK(run_some<gat>(graph, extents).saved_bytes == narrow);  // normalizers; the output is not copied
  CHECK(run_some<attention_layer>(graph, extents).saved_bytes == narrow + wide);  // normalizers and the sum
  CHECK(run_some<relu_of_biased_sum>(graph, extents).saved_bytes == wide);        // the sum
}

TEST_CASE("plan: memory comes from the resource and goes back to it", "[plan]") {
  auto const edges = directed();
  graph const g{edges.csr(), edges.csc()};
  width const extents{2, 12};
  random_stream random("plan: resource");
  auto const request = draw_request<relu_of_biased_sum, float>(edges, extents, random);
  auto const in = bindings(bind<w>(per_row(request.operands[0].data(), edges.num_edges())),
                           bind<h>(wide(request.operands[1].data(), edges.num_sources, 2, 12)),
                           bind<b>(wide(request.operands[2].data(), 1, 2, 12)));
  counting_resource memory(host_memory());
  {
    cpu const exec{.memory = &memory};
    auto const plan = fuse(g, automatic{}, relu_of_biased_sum::program).plan(exec, in);
    std::size_t const held = memory.live_bytes();
    CHECK(held >= plan.workspace_bytes());
    CHECK(held <= plan.workspace_bytes() + most_host_tables(edges));
    auto const saved = plan.make_saved(exec);
    CHECK(memory.live_bytes() == held + saved.size_bytes());
  }
  CHECK(memory.live_bytes() == 0);
}

TEST_CASE("plan: needs no workspace for a sum on the host", "[plan]") {
  CHECK(run_some<weighted_sum<operand_kind::per_row>>(random_skewed(), {2, 12}).workspace_bytes == 0);
}

TEST_CASE("plan: may be used again, with other operands and into other outputs", "[plan]") {
  auto const edges = random_skewed();
  graph const g{edges.csr(), edges.csc()};
  width const extents{1, 24};
  random_stream random("plan: again");
  using Case = several_gathers;
  run_request<float> const requests[2]{draw_request<Case, float>(edges, extents, random),
                                       draw_request<Case, float>(edges, extents, random)};
  auto bound = [&](run_request<float> const& request) {
    return bindings(bind<w>(per_head(request.operands[0].data(), edges.num_edges(), 1)),
                    bind<h>(wide(request.operands[1].data(), edges.num_sources, 24)));
  };
  auto const plan = fuse(g, automatic{}, Case::program).plan(cpu{}, bound(requests[0]));
  auto saved = plan.make_saved(cpu{});
  for (int round : {0, 1, 0}) {
    auto request = requests[round];
    guarded_output<float> result(request.grad_out.size()), h_grad(request.operands[1].size()),
        w_grad(request.operands[0].size());
    auto const in = bound(request);
    plan.forward(cpu{}, in, out(wide(result.data(), edges.num_destinations, 24)), saved);
    plan.backward(cpu{}, in, saved, grad_out(wide(request.grad_out.data(), edges.num_destinations, 24)),
                  grad<w>(per_head(w_grad.data(), edges.num_edges(), 1)),
                  grad<h>(wide(h_grad.data(), edges.num_sources, 24)));
    request.asked_set = 0;
    auto const fresh = run_on_host<first_set<Case>>(request);
    CHECK(same_bits(result.values(), fresh.out));
    CHECK(same_bits(w_grad.values(), fresh.gradients[0]));
    CHECK(same_bits(h_grad.values(), fresh.gradients[1]));
  }
}

TEST_CASE("plan: reads queries, keys and values packed into one array", "[plan]") {
  auto const edges = directed();
  graph const g{edges.csr(), edges.csc()};
  int const n = edges.num_sources;
  constexpr int heads = 2, channels = 4, size = heads * channels;
  random_stream random("plan: packed");
  auto request = draw_request<transformer, float>(edges, {heads, channels}, random);
  request.asked_set = 0;
  auto const expected = run_on_host<first_set<transformer>>(request);
  std::vector<float> packed(3 * n * size);
  for (int row = 0; row < n; ++row) {
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i < size; ++i) packed[(row * 3 + part) * size + i] = request.operands[part][row * size + i];
    }
  }
  auto part = [&](float* data, int index) { return wide(data + index * size, n, heads, channels, 3 * size); };
  auto const in =
      bindings(bind<q>(part(packed.data(), 0)), bind<k>(part(packed.data(), 1)), bind<v>(part(packed.data(), 2)));
  auto const plan = fuse(g, automatic{}, transformer::program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  guarded_output<float> result(n * size), gradients(3 * n * size);
  plan.forward(cpu{}, in, out(wide(result.data(), n, heads, channels)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(request.grad_out.data(), n, heads, channels)),
                grad<q>(part(gradients.data(), 0)), grad<k>(part(gradients.data(), 1)),
                grad<v>(part(gradients.data(), 2)));
  CHECK(same_bits(result.values(), expected.out));
  CHECK(result.damage() + gradients.damage() == "");
  for (int row = 0; row < n; ++row) {
    for (int index = 0; index < 3; ++index) {
      for (int i = 0; i < size; ++i) {
        REQUIRE(gradients.data()[(row * 3 + index) * size + i] == expected.gradients[index][row * size + i]);
      }
    }
  }
}

TEST_CASE("plan: explains what it runs", "[plan]") {
  auto const edges = directed();
  graph const g{edges.csr()};
  std::vector<float> const x(edges.num_sources * 8);
  auto const plan = fuse(g, automatic{}, gather<edgewise::max>(src<h>))
                        .plan(cpu{}, bindings(bind<h>(wide(x.data(), edges.num_sources, 8))));
  CHECK_THAT(plan.explain(), Catch::Contains("gather<max>(src<"));
  CHECK_THAT(plan.explain(), Catch::Contains("1 heads x 8 channels"));
  CHECK_THAT(plan.explain(), Catch::Contains("saved: 32 bytes a destination"));
}

namespace {

/// Rows of one channel more than a group holds.
struct refused_backward {
  test_graph edges = directed();
  graph<csr_view<int, int>> g{edges.csr()};
  int channels = 16385;
  std::vector<float> weights = std::vector<float>(edges.num_edges(), 1.0f);
  std::vector<float> rows = std::vector<float>(static_cast<std::size_t>(edges.num_sources) * channels, 1.0f);
};

}  // namespace

// The scores' adjoints go on with sums over the row, which forward does not take.
TEST_CASE("plan: rows too wide for a gradient are refused before anything is written", "[plan]") {
  refused_backward const it;
  auto const view = wide(it.rows.data(), it.edges.num_sources, it.channels);
  auto const in = bindings(bind<w>(per_row(it.weights.data(), it.edges.num_edges())), bind<h>(view), bind<b>(view));
  auto const plan = fuse(it.g, automatic{}, relu(gather<sum>(softmax(edge<w>) * src<h>) + dst<b>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> result(it.rows.size());
  plan.forward(cpu{}, in, out(wide(result.data(), it.edges.num_sources, it.channels)), saved);
  guarded_output<float> b_grad(it.rows.size()), w_grad(it.weights.size());
  CHECK_THROWS_WITH(
      plan.backward(cpu{}, in, saved, grad_out(view), grad<b>(wide(b_grad.data(), it.edges.num_sources, it.channels)),
                    grad<w>(per_row(w_grad.data(), it.edges.num_edges()))),
      Catch::Contains("rows of 1 heads x 16385 channels are too wide"));
  CHECK(count_poison(b_grad.values()) == it.rows.size());
  CHECK(count_poison(w_grad.values()) == it.weights.size());
}

TEST_CASE("plan: rows too wide for the forward pass are refused by plan", "[plan]") {
  refused_backward const it;
  auto const in = bindings(bind<h>(wide(it.rows.data(), it.edges.num_sources, it.channels)));
  CHECK_THROWS_WITH(fuse(it.g, automatic{}, gather<sum>(dot(src<h>, dst<h>))).plan(cpu{}, in),
                    Catch::Contains("heads of 16385 channels are too wide"));
  auto const coo = graph{it.edges.coo()};
  CHECK_THROWS_WITH(fuse(coo, edge_balanced{}, gather<sum>(dot(src<h>, dst<h>))).plan(cpu{}, in),
                    Catch::Contains("heads of 16385 channels are too wide"));
}

TEST_CASE("plan: a saved state that this plan's forward did not fill is refused", "[plan]") {
  auto const small = chain(5);
  auto const large = chain(70);
  std::vector<float> const x(70, 2.0f);
  std::vector<float> y(70);
  guarded_output<float> gradient(70);
  auto const plan_for = [&](test_graph const& edges) {
    return fuse(graph{edges.csr(), edges.csc()}, automatic{}, gather<edgewise::max>(src<h>))
        .plan(cpu{}, bindings(bind<h>(per_row(x.data(), edges.num_sources))));
  };
  auto const plan = plan_for(large);
  auto const other = plan_for(small);
  auto const in = bindings(bind<h>(per_row(x.data(), 70)));
  auto const backward = [&](auto const& saved) {
    plan.backward(cpu{}, in, saved, grad_out(per_row(x.data(), 70)), grad<h>(per_row(gradient.data(), 70)));
  };
  auto saved = plan.make_saved(cpu{});
  CHECK_THROWS_WITH(backward(saved), Catch::Contains("backward: saved holds nothing; pass it to forward first"));
  auto foreign = other.make_saved(cpu{});
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(per_row(y.data(), 70)), foreign),
                    Catch::Contains("forward: saved was made by another plan"));
  other.forward(cpu{}, bindings(bind<h>(per_row(x.data(), 5))), out(per_row(y.data(), 5)), foreign);
  CHECK_THROWS_WITH(backward(foreign), Catch::Contains("backward: saved was made by another plan"));
  CHECK_THROWS_AS(backward(decltype(saved){}), invalid_argument);
  CHECK(count_poison(gradient.values()) == 70);
  // A refused forward fills nothing.
  CHECK_THROWS_AS(plan.forward(cpu{}, in, out(per_row(y.data(), 5)), saved), invalid_argument);
  CHECK_THROWS_AS(backward(saved), invalid_argument);
  plan.forward(cpu{}, in, out(per_row(y.data(), 70)), saved);
  auto const moved = std::move(saved);
  backward(moved);
  CHECK(count_poison(gradient.values()) == 0);
  CHECK_THROWS_AS(backward(saved), invalid_argument);
}

namespace {

std::function<void()> while_it_runs;

/// Calls back from inside the pass, as another thread would.
struct interrupted {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
#if !defined(__CUDA_ARCH__)
    if (while_it_runs) while_it_runs();
#endif
    return x;
  }
};

}  // namespace

TEST_CASE("plan: no gradient is written over the output that the backward pass reads", "[plan]") {
  auto const edges = make_test_graph("saved output", 3, 2, {{0, 0}, {1, 0}, {2, 1}});
  std::vector<float> const keys(6, 1), queries(4, 1), adjoint(4, 1);
  std::vector<float> memory(20);
  auto const in = bindings(bind<h>(wide(keys.data(), 3, 2)), bind<w>(wide(queries.data(), 2, 2)));
  auto const program = gather<sum>(softmax(dot(dst<w>, src<h>)) * src<h>);
  auto const plan = fuse(graph{edges.csr(), edges.csc()}, automatic{}, program).plan(cpu{}, in);
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

TEST_CASE("plan: two calls of one plan at once are refused", "[plan]") {
  auto const edges = self_loop();
  float const x = 3;
  float y = 0, z = 0;
  auto const in = bindings(bind<h>(per_row(&x, 1)));
  auto const plan = fuse(graph{edges.csr()}, automatic{}, gather<sum>(apply(interrupted{}, src<h>))).plan(cpu{}, in);
  std::string refusal;
  while_it_runs = [&] {
    try {
      plan.forward(cpu{}, in, out(per_row(&z, 1)));
    } catch (invalid_argument const& error) {
      refusal = error.what();
    }
  };
  plan.forward(cpu{.threads = 1}, in, out(per_row(&y, 1)));
  while_it_runs = {};
  CHECK_THAT(refusal, Catch::Contains("plan: two threads run it at once"));
  CHECK(y == 3);
  CHECK(z == 0);
  plan.forward(cpu{}, in, out(per_row(&z, 1)));
  CHECK(z == 3);
}

TEST_CASE("plan: what its passes read and keep decides on partitions and slots", "[plan]") {
  auto const graph = directed();
  int const vertices = graph.num_sources;
  REQUIRE(vertices == graph.num_destinations);
  auto const work_of = [&](int heads, int channels) {
    std::vector<float> const values(static_cast<std::size_t>(vertices * heads * channels));
    auto const rows = wide(values.data(), vertices, heads, channels);
    auto const in = bindings(bind<q>(rows), bind<k>(rows), bind<v>(rows));
    auto const kernel = fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, transformer::program);
    return std::remove_cvref_t<decltype(kernel.plan(cpu{}, in))>::recipe_type::workloads_for(kernel.g, in);
  };
  auto const work = work_of(4, 16);
  std::int64_t const row = 4 * 16 * 4;                              // bytes
  CHECK(work.by_destination.neighbor_bytes == vertices * 2 * row);  // keys and values
  CHECK(work.by_source.neighbor_bytes == vertices * 2 * row);       // queries and the output's gradient
  std::int64_t const counters = 4 * 4;                              // one per head
  CHECK(work.by_destination.most_slots * (row + 2 * 4 * 4 + counters) <= vertices * row);
  CHECK(work.by_destination.most_slots >= 3 * vertices / 4);
  CHECK(work.by_source.most_slots * (2 * row + counters) <= vertices * row);  // gradients of both
  CHECK(work.by_source.most_slots >= vertices / 4);
  CHECK(work_of(4, 128).by_destination.neighbor_bytes == vertices * 2 * 256 * 4);  // a tile at a time
}

TEST_CASE("plan: short rows of edges that lie in the order of the other grouping decide on partitions", "[plan]") {
  auto const graph = directed();
  auto const edges = static_cast<std::int64_t>(graph.csr().num_edges);
  auto const bytes_with = [&](auto const& of_edges, auto const& g) {
    std::vector<float> const values(static_cast<std::size_t>(graph.num_sources) * 64);
    auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 64)), bind<w>(of_edges));
    auto const kernel = fuse(g, automatic{}, gather<sum>(edge<w> * src<h>));
    auto const work = std::remove_cvref_t<decltype(kernel.plan(cpu{}, in))>::recipe_type::workloads_for(g, in);
    auto const groupings = edgewise::detail::describe_groupings<cpu>(g, work);
    return std::pair(groupings.front().work.edge_bytes, groupings.back().work.edge_bytes);
  };
  using found = std::pair<std::int64_t, std::int64_t>;
  std::vector<float> const values(static_cast<std::size_t>(edges) * 64);
  auto csr = graph.csr();
  auto csc = graph.csc();
  auto const ids = csc.edge_ids;  // any
  auto const bytes_of_scalars = [&] { return bytes_with(per_row(values.data(), edges), edgewise::graph{csr, csc}); };
  csr.edge_ids = nullptr;
  CHECK(bytes_of_scalars() == found(0, 4 * edges));
  CHECK(bytes_with(wide(values.data(), edges, 64), edgewise::graph{csr, csc}) == found(0, 0));  // whole sectors
  csc.edge_ids = nullptr;
  CHECK(bytes_of_scalars() == found(0, 0));
  csr.edge_ids = ids;
  CHECK(bytes_of_scalars() == found(4 * edges, 0));
  csc.edge_ids = ids;
  CHECK(bytes_of_scalars() == found(0, 0));  // neither order is that of the ids
}
