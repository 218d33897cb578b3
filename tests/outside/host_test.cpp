#include "support/catch.hpp"

#include "check.hpp"

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
