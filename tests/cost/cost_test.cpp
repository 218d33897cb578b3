// Costs of passes against sums made by hand.
#include <edgewise/cost/cost.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;
struct q;
struct k;
struct v;
struct el;
struct er;
struct a;

// 5 destinations, 7 sources, 20 edges: costs do not look at arrays.
constexpr std::int64_t V = 5, S = 7, E = 20;
constexpr int H = 2, D = 8, F = H * D;

csr_view<> by_destination(std::int32_t const* ids = nullptr) {
  return {
      {.offsets = nullptr, .neighbors = nullptr, .edge_ids = ids, .num_rows = V, .num_neighbors = S, .num_edges = E}};
}
csc_view<> by_source(std::int32_t const* ids) {
  return {
      {.offsets = nullptr, .neighbors = nullptr, .edge_ids = ids, .num_rows = S, .num_neighbors = V, .num_edges = E}};
}
std::int32_t const some_ids[1] = {0};
auto both() { return graph{by_destination(), by_source(some_ids)}; }

/// The address of memory that nobody reads.
template <class T>
T* somewhere() {
  static T element{};
  return &element;
}
template <class T = float>
auto rows(std::int64_t n) {
  return wide(somewhere<T>(), n, H, D);
}
template <class T = float>
auto heads(std::int64_t n) {
  return per_head(somewhere<T>(), n, H);
}
template <class T = float>
auto scalars(std::int64_t n) {
  return per_row(somewhere<T>(), n);
}

template <class Program, class In, class Out, class... Request>
plan_cost backward_cost(Program const& program, In const& in, Out const& dy, Request const&... requests) {
  return fuse(both(), automatic{}, program).backward_cost(in, grad_out(dy), requests...);
}

}  // namespace

TEST_CASE("cost: weighted sum", "[cost]") {
  auto const program = gather<sum>(edge<w> * src<h>);
  auto const in = bindings(bind<h>(rows(S)), bind<w>(scalars(E)));
  auto const kernel = fuse(both(), automatic{}, program);

  auto const forward = kernel.forward_cost(in, out(rows(V)));
  REQUIRE(forward.traversals.size() == 1);
  CHECK(forward.compulsory_bytes() == 4 * (V + 1 + E + E + V * F + S * F));
  CHECK(forward.gather_bytes() == 4 * (V + 1 + E + E + V * F + E * F));
  CHECK(forward.flops() == E * 2 * F);
  CHECK(forward.traversals[0].gathered_table_bytes() == 4 * S * F);

  // the gradient of the features gathers adjoints by source and reads ids, as weights lie by them
  auto const features = kernel.backward_cost(in, grad_out(rows(V)), grad<h>(rows(S)));
  REQUIRE(features.traversals.size() == 1);
  CHECK(features.traversals[0].name == std::string("backward by source"));
  CHECK(features.compulsory_bytes() == 4 * (S + 1 + 2 * E + E + S * F + V * F));
  CHECK(features.gather_bytes() == 4 * (S + 1 + 2 * E + E + S * F + E * F));
  CHECK(features.flops() == E * 2 * F);

  // that of the weights gathers features by destination: ids are positions
  auto const weights = kernel.backward_cost(in, grad_out(rows(V)), grad<w>(scalars(E)));
  REQUIRE(weights.traversals.size() == 1);
  CHECK(weights.gather_bytes() == 4 * (V + 1 + E + E + V * F + E * F));
  CHECK(weights.flops() == E * 2 * F);

  // together they share a traversal; the rows of features are read besides
  auto const together = kernel.backward_cost(in, grad_out(rows(V)), grad<h>(rows(S)), grad<w>(scalars(E)));
  CHECK(together.gather_bytes() == 4 * (S + 1 + 2 * E + 2 * E + 2 * S * F + E * F));
  auto const added = kernel.backward_cost(in, grad_out(rows(V)), accumulate<h>(rows(S)));
  CHECK(added.gather_bytes() - features.gather_bytes() == 4 * S * F);
}

TEST_CASE("cost: storage and edge ids", "[cost]") {
  auto const in = bindings(bind<h>(rows<bfloat16>(S)), bind<w>(scalars<bfloat16>(E)));
  auto const program = gather<sum>(edge<w> * src<h>);
  auto const narrow = fuse(graph{by_destination()}, automatic{}, program);
  CHECK(narrow.forward_cost(in, out(rows<bfloat16>(V))).gather_bytes() == 4 * (V + 1 + E) + 2 * (E + V * F + E * F));
  CHECK(narrow.forward_cost(in, out(rows(V))).gather_bytes() == 4 * (V + 1 + E) + 2 * (E + E * F) + 4 * V * F);
  auto const with_ids = fuse(graph{by_destination(some_ids)}, automatic{}, program);
  CHECK(with_ids.forward_cost(in, out(rows(V))).gather_bytes() ==
        narrow.forward_cost(in, out(rows(V))).gather_bytes() + 4 * E);
  // nothing of an edge is read: no ids either, nor for an argument that is not kept
  auto const plain = bindings(bind<h>(rows(S)));
  CHECK(fuse(graph{by_destination(some_ids)}, automatic{}, gather<sum>(src<h>))
            .forward_cost(plain, out(rows(V)))
            .gather_bytes() == 4 * (V + 1 + E + V * F + E * F));
  CHECK(fuse(graph{by_destination(some_ids)}, automatic{}, gather<edgewise::max>(src<h>))
            .forward_cost(plain, out(rows(V)))
            .gather_bytes() == 4 * (V + 1 + E + V * F + E * F));
}

TEST_CASE("cost: gradients along argument edges", "[cost]") {
  auto const in = bindings(bind<h>(rows(S)));
  auto const maximum = fuse(graph{by_destination()}, automatic{}, gather<edgewise::max>(src<h>));
  auto const gradient = maximum.backward_cost(in, grad_out(rows(V)), grad<h>(rows(S)));
  REQUIRE(gradient.traversals.size() == 1);
  CHECK(gradient.traversals[0].edges == 0);
  CHECK(gradient.gather_bytes() == 4 * (2 * V * F + S * F));  // adjoint and source of each channel, and the gradient
  auto const added = maximum.backward_cost(in, grad_out(rows(V)), accumulate<h>(rows(S)));
  CHECK(added.gather_bytes() - gradient.gather_bytes() == 4 * S * F);
}

TEST_CASE("cost: graph transformer", "[cost]") {
  auto const program = gather<sum>(softmax(dot(dst<q>, src<k>) * 0.5) * src<v>);
  auto const in = bindings(bind<q>(rows(V)), bind<k>(rows(S)), bind<v>(rows(S)));
  auto const forward = fuse(both(), automatic{}, program).forward_cost(in, out(rows(V)));
  CHECK(forward.gather_bytes() == 4 * (V + 1 + E + 2 * V * F + 2 * E * F));
  CHECK(forward.compulsory_bytes() == 4 * (V + 1 + E + 2 * V * F + 2 * S * F));
  // products and their sum, the scale, a softmax's (8 + 3) per score and 2 per element
  CHECK(forward.flops() == E * (2 * F + H + 11 * H + 2 * F));

  auto const all = backward_cost(program, in, rows(V), grad<q>(rows(V)), grad<k>(rows(S)), grad<v>(rows(S)));
  REQUIRE(all.traversals.size() == 2);
  auto const& to_queries = all.traversals[0];
  // query, adjoint, output and gradient; the inner term, which it makes, and the normalizer, two numbers
  CHECK(to_queries.gather_bytes() == 4 * (V + 1 + E + V * (4 * F + 3 * H) + E * 2 * F));
  // score again 2F + H; weight 9H, inner product 2F, score' 2H; scale' H; to q F, its sum F; a row's inner term 2F
  CHECK(to_queries.flops() == E * (2 * F + H + 9 * H + 2 * F + 2 * H + H + 2 * F) + 2 * V * F);
  auto const& to_sources = all.traversals[1];
  CHECK(to_sources.gather_bytes() == 4 * (S + 1 + E + 4 * S * F + E * (2 * F + 3 * H)));
  // as before, and the value's adjoint F and its sum F
  CHECK(to_sources.flops() == to_queries.flops() - 2 * V * F + E * 2 * F);

  auto const values = backward_cost(program, in, rows(V), grad<v>(rows(S)));
  REQUIRE(values.traversals.size() == 2);  // none by destination that would make the inner term
  auto const& at_vertices = values.traversals[0];
  CHECK(at_vertices.gather_bytes() == 4 * (V + 1 + V * (2 * F + H)));  // output, adjoint, inner term; degrees
  CHECK(at_vertices.flops() == 2 * V * F);
  CHECK(values.traversals.back().flops() == E * (2 * F + H + 9 * H + 2 * F));
}

TEST_CASE("cost: scores per head cost what heads cost", "[cost]") {
  auto const program = gather<sum>(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<h>);
  auto const in = bindings(bind<el>(heads(S)), bind<er>(heads(V)), bind<h>(rows(S)));
  auto const forward = fuse(both(), automatic{}, program).forward_cost(in, out(rows(V)));
  CHECK(forward.gather_bytes() == 4 * (V + 1 + E + V * (H + F) + E * (H + F)));
  CHECK(forward.flops() == E * ((1 + operation::leaky_relu::flops) * H + 11 * H + 2 * F));
}

TEST_CASE("cost: what rows decide is counted once a row, what is shared once", "[cost]") {
  auto const in = bindings(bind<q>(rows(V)), bind<k>(rows(S)), bind<a>(rows(1)));
  auto const program = gather<sum>(tanh(dst<q>) * src<k> + param<a>);
  auto const forward = fuse(both(), automatic{}, program).forward_cost(in, out(rows(V)));
  CHECK(forward.flops() == E * 3 * F + V * operation::tanh::flops * F);
  CHECK(forward.gather_bytes() == 4 * (V + 1 + E + 2 * V * F + E * F + F));
  auto const twice = gather<sum>(exp(src<k> * dst<q>) + exp(src<k> * dst<q>));
  auto const of_twice =
      fuse(both(), automatic{}, twice).forward_cost(bindings(bind<q>(rows(V)), bind<k>(rows(S))), out(rows(V)));
  CHECK(of_twice.flops() == E * (1 + operation::exp::flops + 1 + 1) * F);
}

TEST_CASE("cost: saved state, epilogues and tensors in two roles", "[cost]") {
  std::vector<int> const sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};
  auto const edges = make_coo(vertices(3), sources, destinations);
  csr<> const c = to_csr(cpu{}, edges);
  csc<> const s = to_csc(cpu{}, edges);
  std::vector<float> x(3 * F);
  auto const at = [&](std::int64_t n) { return wide(x.data(), n, H, D); };
  auto const in = bindings(bind<h>(at(3)), bind<a>(at(1)));
  auto const kernel = fuse(graph{c, s}, automatic{}, relu(gather<sum>(with_self(src<h>)) + param<a>));
  auto const plan = kernel.plan(cpu{}, in);
  auto const saved = plan.make_saved(cpu{});
  auto const forward = plan.forward_cost(out(at(3)));
  CHECK(forward.gather_bytes() == kernel.forward_cost(in, out(at(3))).gather_bytes());
  CHECK(forward.gather_bytes() == 4 * (4 + 4 + 2 * 3 * F + 4 * F + F));
  CHECK(forward.compulsory_bytes() == 4 * (4 + 4 + 3 * F + 3 * F + F));  // h is one tensor
  CHECK(forward.flops() == 4 * F + 3 * (1 + 1 + operation::relu::flops) * F);
  CHECK(plan.forward_cost(out(at(3)), saved).gather_bytes() == forward.gather_bytes() + 4 * 3 * F);

  auto const backward = plan.backward_cost(grad_out(at(3)), grad<h>(at(3)));
  REQUIRE(backward.traversals.size() == 2);
  // the vertex stage writes the self edges' part, to which the traversal by source adds
  CHECK(backward.traversals[1].gather_bytes() == 4 * (4 + 4 + 2 * 3 * F + 4 * F));
}

TEST_CASE("cost: values of edges that are kept", "[cost]") {
  struct score;
  auto const program = gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>);
  std::vector<int> const sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};
  auto const edges = make_coo(vertices(3), sources, destinations);
  csr<> const c = to_csr(cpu{}, edges);
  std::vector<float> x(3 * F);
  auto const at = [&](std::int64_t n) { return wide(x.data(), n, H, D); };
  auto const in = bindings(bind<q>(at(3)), bind<k>(at(3)), bind<v>(at(3)));
  auto const costs = [&](auto policy) {
    auto const plan = fuse(graph{c}, automatic{}, program, policy).plan(cpu{}, in);
    auto const saved = plan.make_saved(cpu{});
    return std::pair{plan.forward_cost(out(at(3)), saved).traversals[0],
                     plan.backward_cost(grad_out(at(3)), grad<q>(at(3))).traversals.back()};
  };
  auto const [kept_forward, kept_backward] = costs(stash<automatic>{});
  auto const [forward, backward] = costs(recompute{});
  CHECK(kept_forward.edge_bytes - forward.edge_bytes == 4 * H);
  CHECK(kept_backward.edge_bytes - backward.edge_bytes == 4 * H);
  CHECK(backward.edge_flops - kept_backward.edge_flops == 2 * F);
}

TEST_CASE("cost: outputs of edges", "[cost]") {
  auto const in = bindings(bind<q>(rows(V)), bind<k>(rows(S)));
  auto const edges = fuse(both(), automatic{}, scatter(dot(dst<q>, src<k>)));
  auto const forward = edges.forward_cost(in, out(heads(E)));
  CHECK(forward.gather_bytes() == 4 * (V + 1 + E + V * F + E * F + E * H));
  CHECK(forward.flops() == E * 2 * F);
  auto const backward = edges.backward_cost(in, grad_out(heads(E)), grad<k>(rows(S)));
  CHECK(backward.gather_bytes() == 4 * (S + 1 + 2 * E + S * F + E * F + E * H));

  auto const weights = fuse(both(), automatic{}, scatter(softmax(dot(dst<q>, src<k>)))).forward_cost(in, out(heads(E)));
  REQUIRE(weights.traversals.size() == 2);
  CHECK(weights.traversals[0].gather_bytes() == 4 * (V + 1 + E + V * (F + 2 * H) + E * F));
  CHECK(weights.traversals[1].gather_bytes() == 4 * (V + 1 + E + V * (F + 2 * H) + E * F + E * H));
}
