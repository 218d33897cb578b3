#include "support/catch.hpp"

#include "check.hpp"
#include "traced.hpp"

namespace outside {
namespace {

using edgewise::testing::test_graph;

pointers pointers_of(operands const& in, results& to) {
  return {in.x.data(), in.w.data(), in.dout.data(), to.out.data(), to.dx.data(), to.dw.data()};
}

template <class Mapping>
void check_with(Mapping const& mapping) {
  check_on_battery(
      edgewise::testing::small_battery(),
      [&](test_graph const& graph, operands const& in) {
        results to = empty_results(graph, in.channels);
        run_distances(ew::cpu{}, ew::graph{graph.csr(), graph.csc()}, graph.num_sources, in.channels,
                      pointers_of(in, to), mapping);
        return to;
      },
      [&](test_graph const& graph, operands const& in) {
        results to = empty_results(graph, in.channels);
        run_smooth_maximum(ew::cpu{}, ew::graph{graph.csr(), graph.csc()}, graph.num_sources, graph.num_edges(),
                           in.channels, pointers_of(in, to), mapping);
        return to;
      });
}

TEST_CASE("an operation, a node and a gather from outside the library run forward and backward on the host") {
  check_with(ew::automatic{});
}

TEST_CASE("a mapping from outside the library runs them on the host") { check_with(short_pieces{}); }

TEST_CASE("a work split from outside the library runs them on the host, and has a text") {
  check_with(in_equal_pieces{});
  ew::schedule_policy<equal_pieces> const policy{{.max_edges = 5}, {.max_edges = 7}};
  CHECK(ew::to_string(policy) == "by_destination equal_pieces max_edges=5 by_source equal_pieces max_edges=7");
  CHECK(ew::parse_policy<equal_pieces>(ew::to_string(policy)) == policy);
}

TEST_CASE("a format from outside the library is walked on the host") {
  for (int const degree : {1, 5}) {
    test_graph const graph = regular_graph(40, degree);
    auto const offsets = offsets_of_lists(graph.num_destinations, degree);
    neighbor_lists lists{{graph.csr()}};
    lists.offsets = offsets.data();
    operands const in = random_operands(graph, 3);
    results to = empty_results(graph, in.channels);
    run_distances(ew::cpu{}, ew::graph{lists, graph.csc()}, graph.num_sources, in.channels, pointers_of(in, to));
    check_equal(to, expected_distances(graph, in));
  }
}

TEST_CASE("a format from outside the library is filled field by field") {
  // [begin lists]
  int const neighbors[6] = {1, 2, 0, 2, 0, 1};
  std::vector<int> const offsets = offsets_of_lists(3, 2);
  neighbor_lists lists;
  lists.offsets = offsets.data();  // [num_rows + 1]
  lists.neighbors = neighbors;     // [num_edges]
  lists.edge_ids = nullptr;        // ids are positions
  lists.num_rows = 3;
  lists.num_neighbors = 3;
  lists.num_edges = 6;
  // [end lists]
  double const values[3] = {1, 2, 4};
  double sums[3] = {};
  auto const in = ew::bindings(ew::bind<x>(ew::wide(values, 3, 1)));
  ew::fuse(ew::graph{lists}, ew::automatic{}, ew::gather<ew::sum>(ew::src<x>))
      .plan(ew::cpu{}, in)
      .forward(ew::cpu{}, in, ew::out(ew::wide(sums, 3, 1)));
  CHECK(std::vector<double>(sums, sums + 3) == std::vector<double>{6, 5, 3});
}

TEST_CASE("an engine from outside the library runs a plan") {
  test_graph const graph = regular_graph(40, 3);
  operands const in = random_operands(graph, 3);
  results to = empty_results(graph, in.channels);
  int traversals = 0;
  run_distances(traced{{}, &traversals}, ew::graph{graph.csr(), graph.csc()}, graph.num_sources, in.channels,
                pointers_of(in, to));
  check_equal(to, expected_distances(graph, in));
  CHECK(traversals == 3);  // forward, and backward by both endpoints
}

TEST_CASE("a plan explains parts from outside by their names") {
  auto const graph = edgewise::testing::chain(3);
  double const values[3] = {};
  auto const explain = [&](auto const& program, auto const& in) {
    return ew::fuse(ew::graph{graph.csr()}, short_pieces{}, program).plan(ew::cpu{}, in).explain();
  };
  CHECK_THAT(explain(distances, ew::bindings(ew::bind<x>(ew::wide(values, 3, 1)))),
             Catch::Contains("gather<sum>(detached(dst<") && Catch::Contains("squared_difference(src<") &&
                 Catch::Contains("mapping: short_pieces"));
  CHECK_THAT(
      explain(smooth_maximum, ew::bindings(ew::bind<x>(ew::wide(values, 3, 1)), ew::bind<w>(ew::per_row(values, 2)))),
      Catch::Contains("gather<log_sum_exp>("));
}

}  // namespace
}  // namespace outside
