// What a plan on the host refuses: sizes that overflow, what was moved from, and what belongs to another graph.
#include <edgewise/edgewise.hpp>

#include <array>
#include <limits>

#include "support/catch.hpp"

using namespace edgewise;
using Catch::Contains;

namespace {

struct w;
struct h;
struct q;

constexpr std::int64_t huge = std::int64_t{1} << 61;
constexpr int most = std::numeric_limits<int>::max();

/// 0 -> 1 -> 2, grouped both ways.
struct chain_of_3 {
  std::array<int, 4> offsets{0, 0, 1, 2}, source_offsets{0, 1, 2, 2};
  std::array<int, 2> neighbors{0, 1}, source_neighbors{1, 2};
  csr_view<> csr() const { return {{offsets.data(), neighbors.data(), nullptr, 3, 3, 2}}; }
  csc_view<> csc() const { return {{source_offsets.data(), source_neighbors.data(), nullptr, 3, 3, 2}}; }
  coo_view<> coo() const { return {neighbors.data(), source_neighbors.data(), nullptr, 3, 3, 2}; }
};

}  // namespace

TEST_CASE("misuse: row strides whose bytes overflow are refused", "[plan]") {
  chain_of_3 const edges;
  std::vector<float> const data(12);
  auto const kernel = fuse(graph{edges.csr()}, automatic{}, gather<sum>(src<h>));
  auto const plan_with = [&](std::int64_t stride) {
    return kernel.plan(cpu{}, bindings(bind<h>(wide(data.data(), 3, 1, 2, stride))));
  };
  CHECK_NOTHROW(plan_with(4));
  for (std::int64_t const stride : {std::int64_t{1} << 62, std::int64_t{1} << 61, (std::int64_t{1} << 62) + 2,
                                    std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 29}) {
    INFO(stride);
    CHECK_THROWS_WITH(plan_with(stride), Contains("src<h>: rows are ") && Contains(" elements apart, more than 2 GiB"));
  }
  for (std::int64_t const stride : {std::int64_t{-2}, std::numeric_limits<std::int64_t>::min(), std::int64_t{1}}) {
    INFO(stride);
    CHECK_THROWS_AS(plan_with(stride), invalid_argument);
  }
  // Strides of outputs and gradients are refused, too.
  auto const in = bindings(bind<h>(wide(data.data(), 3, 1, 2)));
  auto const plan = kernel.plan(cpu{}, in);
  std::vector<float> y(12);
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(y.data(), 3, 1, 2, std::int64_t{1} << 62))),
                    Contains("out: rows are 4611686018427387904 elements apart"));
}

TEST_CASE("misuse: heads and channels whose product overflows, or that are negative, are refused", "[plan]") {
  chain_of_3 const edges;
  std::vector<float> const data(12);
  auto const kernel = fuse(graph{edges.csr()}, automatic{}, gather<sum>(edge<w> * src<h>));
  auto const coo_kernel = fuse(graph{edges.coo()}, edge_balanced{}, gather<sum>(edge<w> * src<h>));
  for (auto const& [heads, channels] : {std::pair(65536, 65536), std::pair(most, 2), std::pair(2, most),
                                        std::pair(3, 1 << 29), std::pair(32769, 65535)}) {
    INFO(heads << " x " << channels);
    // One row, so that no stride is too long.
    auto const in = bindings(bind<w>(per_row(data.data(), 0)), bind<h>(wide(data.data(), 1, heads, channels)));
    csr_view<> const one{{edges.offsets.data(), nullptr, nullptr, 1, 1, 0}};
    coo_view<> const none{nullptr, nullptr, nullptr, 1, 1, 0};
    CHECK_THROWS_WITH(fuse(graph{one}, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in),
                      Contains("bindings: rows of ") && Contains(" channels have more than 2^27 elements"));
    CHECK_THROWS_AS(fuse(graph{none}, edge_balanced{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in),
                    invalid_argument);
  }
  for (auto const& [heads, channels] : {std::pair(-1, 2), std::pair(2, -1), std::pair(0, 2), std::pair(-2, -2)}) {
    auto const in = bindings(bind<w>(per_row(data.data(), 2)), bind<h>(wide(data.data(), 3, heads, channels, 4)));
    CHECK_THROWS_WITH(kernel.plan(cpu{}, in), Contains("heads and channels must be at least 1"));
    CHECK_THROWS_WITH(coo_kernel.plan(cpu{}, in), Contains("heads and channels must be at least 1"));
  }
}

TEST_CASE("misuse: counts that are negative, or whose memory overflows, are refused", "[plan]") {
  std::vector<float> const data(12);
  auto const plan_of = [&](auto const& g, auto const& mapping, std::int64_t rows, std::int64_t edges) {
    auto const in = bindings(bind<w>(per_row(data.data(), edges)), bind<h>(wide(data.data(), rows, 1, 4)));
    return fuse(g, mapping, gather<sum>(softmax(edge<w>) * src<h>)).plan(cpu{}, in);
  };
  coo_view<> const negative{nullptr, nullptr, nullptr, -1, -1, 0};
  CHECK_THROWS_WITH(plan_of(graph{negative}, edge_balanced{}, -1, 0), Contains("graph: has -1 sources"));
  // One source, and more destinations than memory has room for sums of.
  coo_view<long long, long long> const wide_graph{nullptr, nullptr, nullptr, 1, huge, 0};
  CHECK_THROWS_AS(plan_of(graph{wide_graph}, edge_balanced{}, 1, 0), invalid_argument);
  csr_view<long long, long long> const rows{{nullptr, nullptr, nullptr, huge, 1, 0}};
  auto const in = bindings(bind<w>(per_row(data.data(), 0)), bind<h>(wide(data.data(), 1, 1, 4)));
  auto const kernel = fuse(graph{rows}, vertex_balanced{}, gather<sum>(softmax(edge<w>) * src<h>));
  CHECK_THROWS_AS(kernel.plan(cpu{}, in), invalid_argument);
  CHECK_THROWS_AS(kernel.plan_for_capacity(cpu{}, in), invalid_argument);
  CHECK_THROWS_AS(to_csr(cpu{}, wide_graph), invalid_argument);
}

TEST_CASE("misuse: arrays of a graph that are null are refused", "[plan]") {
  chain_of_3 const edges;
  std::vector<float> const data(12);
  auto const in = bindings(bind<h>(wide(data.data(), 3, 1, 4)));
  auto const message = gather<sum>(src<h>);
  auto without = edges.csr();
  without.offsets = nullptr;
  CHECK_THROWS_WITH(fuse(graph{without}, vertex_balanced{}, message).plan(cpu{}, in),
                    Contains("graph: the offsets of the csr are a null pointer"));
  without = edges.csr();
  without.neighbors = nullptr;
  CHECK_THROWS_WITH(fuse(graph{without}, vertex_balanced{}, message).plan(cpu{}, in), Contains("graph: the neighbors"));
  auto pairs = edges.coo();
  pairs.sources = nullptr;
  CHECK_THROWS_WITH(fuse(graph{pairs}, edge_balanced{}, message).plan(cpu{}, in), Contains("graph: the sources"));
}

TEST_CASE("misuse: what was moved from is refused in every call", "[plan]") {
  chain_of_3 const edges;
  std::vector<float> const data(12, 1);
  std::vector<float> y(12), dh(12);
  auto const in = bindings(bind<h>(wide(data.data(), 3, 1, 4)));
  auto const check = [&](auto plan) {
    auto const result = out(wide(y.data(), 3, 1, 4));
    auto const adjoint = grad_out(wide(data.data(), 3, 1, 4));
    auto const gradient = grad<h>(wide(dh.data(), 3, 1, 4));
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, result, saved);
    auto kept = std::move(saved);
    CHECK_THROWS_WITH(plan.backward(cpu{}, in, saved, adjoint, gradient), Contains("backward: saved is empty"));
    CHECK_THROWS_WITH(plan.forward(cpu{}, in, result, saved), Contains("forward: saved is empty"));
    auto moved = std::move(plan);
    CHECK_THROWS_WITH(plan.forward(cpu{}, in, result), Contains("forward: the plan was moved from"));
    CHECK_THROWS_WITH(plan.forward(cpu{}, in, result, kept), Contains("forward: the plan was moved from"));
    CHECK_THROWS_WITH(plan.backward(cpu{}, in, kept, adjoint, gradient), Contains("backward: the plan was moved from"));
    CHECK_THROWS_WITH(plan.make_saved(cpu{}), Contains("make_saved: the plan was moved from"));
    CHECK_NOTHROW(moved.backward(cpu{}, in, kept, adjoint, gradient));
  };
  check(fuse(graph{edges.csr(), edges.csc()}, vertex_balanced{}, gather<sum>(src<h>)).plan(cpu{}, in));
  check(fuse(graph{edges.coo()}, edge_balanced{}, gather<sum>(src<h>)).plan(cpu{}, in));
  check(fuse(graph{edges.coo()}, automatic{}, gather<sum>(src<h>)).plan(cpu{}, in));
}

TEST_CASE("misuse: a state that was filled before a rebuild is refused", "[plan]") {
  chain_of_3 const edges;
  std::vector<float> const data(12, 1);
  std::vector<float> y(12), dh(12);
  auto const in = bindings(bind<h>(wide(data.data(), 3, 1, 4)));
  auto const check = [&](auto plan, auto const& g) {
    auto const result = out(wide(y.data(), 3, 1, 4));
    auto const adjoint = grad_out(wide(data.data(), 3, 1, 4));
    auto const gradient = grad<h>(wide(dh.data(), 3, 1, 4));
    auto saved = plan.make_saved(cpu{});
    plan.rebuild(cpu{}, g);
    plan.forward(cpu{}, in, result, saved);
    CHECK_NOTHROW(plan.backward(cpu{}, in, saved, adjoint, gradient));
    plan.rebuild(cpu{}, g);
    CHECK_THROWS_WITH(plan.backward(cpu{}, in, saved, adjoint, gradient),
                      Contains("backward: saved was filled before rebuild"));
    plan.forward(cpu{}, in, result, saved);
    CHECK_NOTHROW(plan.backward(cpu{}, in, saved, adjoint, gradient));
  };
  graph const grouped{edges.csr(), edges.csc()};
  graph const pairs{edges.coo()};
  check(fuse(grouped, vertex_balanced{}, gather<sum>(src<h>)).plan_for_capacity(cpu{}, in), grouped);
  check(fuse(pairs, edge_balanced{}, gather<sum>(src<h>)).plan_for_capacity(cpu{}, in), pairs);
}
