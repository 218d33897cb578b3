#include "same_edges_check.hpp"

#include <functional>
#include <vector>

#include <edgewise/edgewise.hpp>

using namespace edgewise;
using namespace edgewise::testing;

namespace {

struct h;
struct w;

std::string refusal(std::function<void()> const& run) {
  try {
    run();
  } catch (invalid_argument const& error) {
    return error.what();
  }
  return "no error";
}

/// Plans over what `view` makes of a test graph's arrays.
template <bool IsWeighted, class View, class Program, class Plan>
std::string refusal_of(test_graph const& edges, View const& view, Program const& program, Plan const& plan) {
  std::vector<float> const features(static_cast<std::size_t>(edges.num_sources) + 1, 1.0f);
  std::vector<float> const weights(static_cast<std::size_t>(edges.num_edges()) + 1, 1.0f);
  auto const feature = bind<h>(per_row(features.data(), edges.num_sources));
  auto const kernel = fuse(view, automatic{}, program);
  return refusal([&] {
    if constexpr (IsWeighted) {
      plan(kernel, bindings(feature, bind<w>(per_row(weights.data(), edges.num_edges()))));
    } else {
      plan(kernel, bindings(feature));
    }
  });
}
auto const exactly = [](auto const& kernel, auto const& in) { kernel.plan(cpu{.threads = 3}, in); };

template <bool IsWeighted = false, class Program>
auto refusal_by(Program const& program) {
  return [program](test_graph const& edges) {
    return refusal_of<IsWeighted>(edges, graph{edges.csr(), edges.csc()}, program, exactly);
  };
}

constexpr auto weighted_sum = gather<sum>(edge<w> * src<h>);

}  // namespace

TEST_CASE("same edges: plans refuse groupings of others, as far as the program could tell", "[plan]") {
  check_refusals(refusal_by<true>(weighted_sum), refusal_by(gather<sum>(src<h>)),
                 refusal_by(gather<edgewise::max>(src<h>)));
}

TEST_CASE("same edges: the message names an edge", "[plan]") {
  std::vector<int> const offsets{0, 1, 2}, neighbors{1, 0};
  auto const csr = make_csr(vertices(2), offsets, neighbors);
  auto const csc = make_csc(vertices(2), offsets, neighbors);
  std::vector<double> const numbers{1, 2};
  auto const in = bindings(bind<h>(per_row(numbers.data(), 2)), bind<w>(per_row(numbers.data(), 2)));
  CHECK(refusal([&] {
          fuse(graph{csr, csc}, automatic{}, weighted_sum).plan(cpu{}, in);
        }) ==
        "graph: csr and csc hold different edges: edge 0 is 1 -> 0 in csr, but 0 -> 1 in csc; make one from the other, "
        "with to_csc or to_csr, or give both the ids of the edges");
}

TEST_CASE("same edges: values of edges are told by id, and what reads no source asks nothing", "[plan]") {
  auto const graph = changed(directed(), [](auto& rows) { std::swap(rows.edge_ids[0], rows.edge_ids[9]); });
  CHECK_THAT(refusal_by(scatter(src<h>))(graph), Catch::StartsWith("graph: csr and csc hold different edges: edge "));
  std::vector<float> const features(static_cast<std::size_t>(graph.num_destinations), 1.0f);
  auto const in = bindings(bind<h>(per_row(features.data(), graph.num_destinations)));
  CHECK(refusal([&] {
          fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, gather<sum>(dst<h>)).plan(cpu{}, in);
        }) == "no error");
}

TEST_CASE("same edges: a plan for a capacity reads no array", "[plan]") {
  auto const graph = changed(directed(), [](auto& rows) { std::swap(rows.edge_ids[0], rows.edge_ids[9]); });
  CHECK(refusal_of<true>(graph, edgewise::graph{graph.csr(), graph.csc()}, weighted_sum,
                         [](auto const& kernel, auto const& in) { kernel.plan_for_capacity(cpu{}, in); }) ==
        "no error");
}

TEST_CASE("same edges: wide ids and offsets", "[plan]") {
  auto const large = random_skewed(3000, 40000);
  auto const refused = [&](test_graph const& edges) {
    auto const rows = edges.by_destination.with_offsets<long>();
    auto const columns = edges.by_source.with_offsets<long>();
    return refusal_of<true>(edges, graph{edges.csr_of(rows), edges.csc_of(columns)}, weighted_sum, exactly);
  };
  CHECK(refused(large) == "no error");
  CHECK_THAT(refused(changed(large, [](auto& rows) { std::swap(rows.edge_ids[17], rows.edge_ids[31000]); })),
             Catch::StartsWith("graph: csr and csc hold different edges: edge "));
}

TEST_CASE("same edges: sums do not depend on the threads, and one bit of an edge changes them", "[plan]") {
  using edgewise::detail::edge_identity;
  auto const large = random_skewed(3000, 40000);
  auto const sum_of = [](auto const& view, int threads, edge_identity identity) {
    return edgewise::detail::sum_edge_hashes<endpoint::destination>(cpu{.threads = threads}, view, identity);
  };
  for (auto const identity : {edge_identity::endpoints, edge_identity::endpoints_and_id}) {
    auto const one = sum_of(large.csr(), 1, identity);
    for (int const threads : {2, 3, 7}) CHECK(sum_of(large.csr(), threads, identity) == one);
  }
  using edgewise::detail::hash_edge;
  std::vector<std::uint64_t> hashes;
  for (int bit = 0; bit < 31; ++bit) {
    hashes.insert(hashes.end(), {hash_edge(1 << bit, 0, 0), hash_edge(0, 1 << bit, 0), hash_edge(0, 0, 1u << bit)});
  }
  for (int bit = 0; bit < 63; ++bit) {
    hashes.insert(hashes.end(), {hash_edge(1L << bit, 0L, 1), hash_edge(0L, 1L << bit, 1),
                                 hash_edge(0, 0, std::uint64_t{1} << bit | 1u << 31)});
  }
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}
