// The law of symmetric graphs: programs over a csr lent as csc compute what they do over graph{csr, csc}.
#include <edgewise/format/symmetric.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/expression/dropout.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "program/dropout_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Edges in one grouping, lent as the other: `with_graph` as in grouped_edges.
struct symmetric_edges {
  automatic mapping = {};

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const&, test_graph const& edges, F const& f) const {
    typename Machine::template graph_arrays<Offset> const arrays(edges);
    auto const reverse_ids = reverse_edge_permutation(cpu{}, arrays.csr());
    return f(symmetric_graph(arrays.csr(), reverse_ids), mapping);
  }
};

template <class Case, class T>
run_result<T> run_on_symmetric(run_request<T> const& request) {
  return run_program<Case>(host_machine{}, request, symmetric_edges{});
}

/// Weights differ between an edge and its reverse, and so do masks. Multiples of 1/16 and factors of 0 and 2 keep every
/// sum exact, so that the order of the edges in a row does not matter.
struct exact_dropped_messages {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<sum>(dropout<drop>(edge<w> * src<h>, 0.5)), exact";
  static constexpr auto program = gather<sum>(dropout<drop>(edge<w> * src<h>, 0.5));
  static constexpr random_state random = mask_state;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 3>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<1>, whole<0>>, gradient_set<whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1) * edge_mask(edge, 3, 0.5); });
  }
};

/// Symmetric, with parallel edges and self loops; ids follow no grouping.
test_graph symmetric_multigraph() {
  return make_test_graph(
      "symmetric multigraph", 5, 5,
      {{1, 0}, {2, 3}, {2, 2}, {0, 1}, {3, 2}, {2, 1}, {3, 2}, {1, 0}, {1, 2}, {2, 2}, {0, 1}, {2, 3}, {2, 3}, {3, 2}});
}

std::vector<test_graph> const& symmetric_graphs() {
  static std::vector<test_graph> const graphs = [] {
    edge_list star;
    for (int v = 1; v < 200; ++v) {
      star.push_back({0, v});
      star.push_back({v, 0});
    }
    return std::vector<test_graph>{no_vertices(),          no_edges(9), self_loop(),
                                   symmetric_multigraph(), symmetric(), make_test_graph("star", 200, 200, star)};
  }();
  return graphs;
}

}  // namespace

TEST_CASE("symmetric graphs: weights and dropout give the same bits as graph{csr, csc}", "[laws]") {
  using Case = exact_dropped_messages;
  random_stream random("symmetric graphs");
  for (auto const& graph : symmetric_graphs()) {
    for (width const w : {width{1, 1}, width{1, 5}, width{2, 8}}) {
      auto request = draw_request<Case, float>(graph, w, random);
      request.grad_out = draw_values<float>(request.grad_out.size(), draw::grid, random);
      for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
        INFO(graph.name << ", " << w.heads << " x " << w.channels << ", set " << request.asked_set);
        auto const lent = run_on_symmetric<Case>(request);
        auto const both = run_on_host<Case>(request);
        CHECK(same_bits(lent.out, both.out));
        CHECK(same_bits(lent.gradients, both.gradients));
      }
    }
  }
}

TEMPLATE_TEST_CASE("symmetric graphs: values and gradients are those of their definition", "[laws]",
                   exact_dropped_messages, dropped_attention) {
  random_stream random(std::string("symmetric graphs: ") + TestType::name);
  for (auto const& graph : symmetric_graphs()) {
    for (width const w : {width{1, 3}, width{4, 8}}) {
      auto request = draw_request<TestType, float>(graph, w, random);
      request.wide_offsets = w.heads == 1;  // of cases that have them
      check_request<TestType>(run_on_symmetric<TestType, float>, request);
    }
  }
}
