// The law of self edges: with_self(message) over a graph is the message over the graph with a loop added to every
// vertex, whose weights are those of self<w>.
#include <edgewise/expression/with_self.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/format/self_loops.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

struct w;
struct h;
struct k;

/// Operands of both sides: weights of edges, features of vertices, and what the destination alone has.
using edge_weights = operand<w, rows_of::edge, operand_kind::per_row>;
using features = operand<h, rows_of::vertex, operand_kind::wide>;
using own_features = operand<k, rows_of::destination, operand_kind::wide>;
using self_weights = operand<self<w>, rows_of::destination, operand_kind::per_row>;

/// Program with self edges, and Looped over a graph that has the loops. Neither needs a reference: each is the other's.
template <auto const& Program>
struct virtual_side {
  static constexpr auto program = Program;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<edge_weights, features, own_features, self_weights>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>>;
};
template <auto const& Looped>
struct looped_side {
  static constexpr auto program = Looped;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<edge_weights, features, own_features>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
};

constexpr auto message = edge<w> * (src<h> + 0.5 * dst<k>);
constexpr auto attention = softmax(edge<w> * dot(src<h>, dst<k>)) * src<h>;
constexpr auto sums = gather<edgewise::sum>(message);
constexpr auto sums_with_self = gather<edgewise::sum>(with_self(message));
constexpr auto means = gather<mean>(message) + dst<k>;
constexpr auto means_with_self = gather<mean>(with_self(message)) + dst<k>;
constexpr auto maxima = gather<edgewise::max>(message);
constexpr auto maxima_with_self = gather<edgewise::max>(with_self(message));
constexpr auto weighted = gather<edgewise::sum>(attention);
constexpr auto weighted_with_self = gather<edgewise::sum>(with_self(attention));

template <auto const& Program, auto const& Looped>
struct law {
  using with_virtual_edges = virtual_side<Program>;
  using with_loops = looped_side<Looped>;
};
using law_of_sums = law<sums_with_self, sums>;
using law_of_means = law<means_with_self, means>;
using law_of_maxima = law<maxima_with_self, maxima>;
using law_of_attention = law<weighted_with_self, weighted>;

/// The graph with a loop added to every vertex, beside the loops that it has.
test_graph looped(test_graph const& graph) {
  auto const all = with_self_loops(cpu{}, graph.coo(), self_loops::add_to_all);
  auto const view = all.view();
  edge_list edges;
  for (int e = 0; e < view.num_edges; ++e) edges.push_back({view.sources[e], view.destinations[e]});
  return make_test_graph(graph.name + ", looped", graph.num_sources, graph.num_destinations, edges);
}

/// Sums that were added up in another order.
bool near(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return false;
  double largest = 1;
  for (double const x : a) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= 1e-12 * largest)) return false;
  }
  return true;
}

}  // namespace

TEMPLATE_TEST_CASE("with_self: a virtual edge is a loop of the graph", "[laws]", law_of_sums,
                   law_of_attention EDGEWISE_MORE_CASES(law_of_means, law_of_maxima)) {
  using with_virtual_edges = typename TestType::with_virtual_edges;
  using with_loops = typename TestType::with_loops;
  random_stream random("with_self is a loop");
  for (auto const& graph : battery()) {
    if (!graph.is_square()) continue;
    auto const graph_with_loops = looped(graph);
    for (width const extents : {width{1, 3}, width{2, 8}}) {
      INFO(graph.name << ", " << extents.heads << " x " << extents.channels);
      auto request = draw_request<with_virtual_edges, double>(graph, extents, random);
      request.asked_set = 0;
      auto loops = run_request<double>{.graph = &graph_with_loops,
                                       .extents = extents,
                                       .operands = {request.operands[0], request.operands[1], request.operands[2]},
                                       .grad_out = request.grad_out,
                                       .asked_set = 0};
      auto& weights = loops.operands[0];  // the added edges come last, by vertex
      weights.insert(weights.end(), request.operands[3].begin(), request.operands[3].end());

      auto const result = run_on_host<with_virtual_edges>(request);
      auto const expected = run_on_host<with_loops>(loops);
      CHECK(near(result.out, expected.out));
      auto edges_and_selves = result.gradients[0];
      edges_and_selves.insert(edges_and_selves.end(), result.gradients[3].begin(), result.gradients[3].end());
      CHECK(near(edges_and_selves, expected.gradients[0]));
      CHECK(near(result.gradients[1], expected.gradients[1]));
      CHECK(near(result.gradients[2], expected.gradients[2]));
    }
  }
}
