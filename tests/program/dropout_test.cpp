#include "dropout_cases.hpp"

#include <algorithm>

#include <edgewise/expression/linear.hpp>

#include "plan/check_case.hpp"
#include "plan/coo_run.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dropout: values and gradients on the battery", "[program]", dropped_messages,
                   dropped_gathers EDGEWISE_MORE_CASES(dropped_layer, dropped_attention, dropped_attention_with_self,
                                                       dropped_factors, dropped_head_sum, dropped_extremum,
                                                       dropped_hoisted)) {
  check_case<TestType, double>(run_on_host<TestType, double>);
}

TEST_CASE("dropout: rows that are cut into tiles", "[program]") {
  check_wide_rows<dropped_messages, float>(run_on_host<dropped_messages, float>);
}

TEST_CASE("dropout: edges that are not grouped draw the same masks", "[program]") {
  check_case<dropped_messages, float>([](run_request<float> const& request) {
    return run_scattered<dropped_messages>(host_machine{}, request, edge_order::shuffled);
  });
}

/// The mask stays fixed while operands move.
TEMPLATE_TEST_CASE("dropout: gradients follow difference quotients", "[program]", dropped_messages,
                   dropped_gathers EDGEWISE_MORE_CASES(dropped_layer, dropped_attention, dropped_attention_with_self,
                                                       dropped_factors, dropped_head_sum, dropped_hoisted)) {
  random_stream random(std::string("dropout, differences: ") + TestType::name);
  static auto const graph = directed();
  for (width const w : {width{1, 5}, width{3, 8}}) {
    INFO(w.heads << " x " << w.channels);
    auto request = draw_request<TestType, double>(graph, w, random);
    for (auto& values : request.operands)
      fill_uniform(values, random, -1, 1);  // not on the grid, where kinks are common
    request.asked_set = 0;
    auto const gradients = run_on_host<first_set<TestType>>(request).gradients;
    auto forward = [request](reference::operands const& inputs) mutable {
      request.asked_set = -1;
      request.operands = inputs;
      return run_on_host<first_set<TestType>>(request).out;
    };
    CHECK(reference::check_gradient(forward, request.operands, gradients, request.grad_out, random,
                                    {.relative = 1e-7, .max_elements = 24}));
  }
}

TEMPLATE_TEST_CASE("dropout: the same bits for any number of threads", "[program]", dropped_messages,
                   dropped_attention_with_self) {
  random_stream random("dropout: threads");
  auto const graph = directed();
  auto request = draw_request<TestType, float>(graph, {2, 33}, random);
  request.asked_set = 0;
  check_any_threads(run_on_host<TestType, float>, request);
}

namespace {

struct other;

/// What a message makes of ones on every edge of a graph, [edges, heads, channels].
template <class Graph, class View>
std::vector<float> ones_under(Graph const& g, View (*bind_ones)(float const*, std::int64_t), int edges, auto message) {
  int const heads = 3, channels = 5;
  std::vector<float> const ones(static_cast<std::size_t>(edges) * heads * channels, 1.0f);
  std::vector<float> result(ones.size());
  auto const in =
      bindings(bind<x>(bind_ones(ones.data(), edges)), bind<other>(wide(ones.data(), edges, heads, channels)),
               bind<drop>(random_numbers(&mask_state, 3)));
  auto const plan = fuse(g, automatic{}, scatter(message)).plan(cpu{}, in);
  plan.forward(cpu{}, in, out(wide(result.data(), edges, heads, channels)));
  return result;
}
/// What dropout makes of ones where nothing else is bound, in the shape of the value itself.
template <class Graph, class View>
std::vector<float> ones_alone(Graph const& g, View (*bind_ones)(float const*, std::int64_t), int edges) {
  std::vector<float> const ones(static_cast<std::size_t>(edges) * 15, 1.0f);
  auto const view = bind_ones(ones.data(), edges);
  std::vector<float> result(static_cast<std::size_t>(edges * view.row_size()));
  auto const in = bindings(bind<x>(view), bind<drop>(random_numbers(&mask_state, 3)));
  auto const plan = fuse(g, automatic{}, scatter(dropout<drop>(edge<x>, 0.25))).plan(cpu{}, in);
  constexpr operand_kind kind = View::kind == operand_kind::per_channel ? operand_kind::wide : View::kind;
  auto const to = out(operand_view<float, kind>{result.data(), edges, view.heads, view.channels, view.row_size()});
  plan.forward(cpu{}, in, to);
  return result;
}

template <class View>
void check_mask(View (*bind_ones)(float const*, std::int64_t)) {
  constexpr bool by_head = has_heads(View::kind);
  constexpr bool by_channel = has_channels(View::kind);
  static auto const edges = directed();
  auto const coo = edges.coo();
  auto const csr = edges.csr();
  auto const message = dropout<drop>(edge<x>, 0.25) * edge<other>;
  auto const alone = ones_alone(graph{csr}, bind_ones, edges.num_edges());
  auto const with_others = ones_under(graph{csr}, bind_ones, edges.num_edges(), message);
  int const heads = by_head ? 3 : 1, channels = by_channel ? 5 : 1;
  REQUIRE(alone.size() == static_cast<std::size_t>(edges.num_edges() * heads * channels));
  int differ = 0;
  for (int e = 0; e < edges.num_edges(); ++e) {
    for (int i = 0; i < 3; ++i) {
      for (int l = 0; l < 5; ++l) {
        int const own = (e * heads + (by_head ? i : 0)) * channels + (by_channel ? l : 0);
        differ += with_others[static_cast<std::size_t>((e * 3 + i) * 5 + l)] != alone[static_cast<std::size_t>(own)];
      }
    }
  }
  CHECK(differ == 0);
  CHECK(ones_under(graph{coo}, bind_ones, edges.num_edges(), message) == with_others);
}

}  // namespace

TEST_CASE("dropout: a value has one mask, whatever the other operands of its program", "[program]") {
  check_mask<operand_view<float const, operand_kind::per_row>>([](auto p, auto rows) { return per_row(p, rows); });
  check_mask<operand_view<float const, operand_kind::per_head>>([](auto p, auto rows) { return per_head(p, rows, 3); });
  check_mask<operand_view<float const, operand_kind::per_channel>>(
      [](auto p, auto rows) { return per_channel(p, rows, 5); });
  check_mask<operand_view<float const, operand_kind::wide>>([](auto p, auto rows) { return wide(p, rows, 3, 5); });
}

namespace {

/// What a program makes of what is bound, in rows of `channels`.
std::vector<float> results_of(auto const& program, auto const& in, int channels) {
  static auto const edges = directed();
  auto const csr = edges.csr();
  std::int64_t const num_vertices = edges.num_destinations;
  std::vector<float> result(static_cast<std::size_t>(num_vertices * channels));
  auto const plan = fuse(graph{csr}, automatic{}, program).plan(cpu{}, in);
  plan.forward(cpu{}, in, out(wide(result.data(), num_vertices, channels)));
  return result;
}

}  // namespace

TEST_CASE("dropout: of a vertex's value that needs no edges the mask is of the row", "[program]") {
  std::int64_t const num_vertices = directed().num_destinations;
  std::vector<float> const ones(static_cast<std::size_t>(num_vertices * 5), 1.0f);
  std::vector<float> const matrix{1, -2, 3, 0.5f, -1, 4, 2, 7, -3, 1};
  auto const rows = bind<x>(wide(ones.data(), num_vertices, 5));
  auto const factors = bind<other>(wide(matrix.data(), 5, 2));
  auto const numbers = bind<drop>(random_numbers(&mask_state, 3));
  auto const dropped = dropout<drop>(dst<x>, 0.25);
  auto const kept = results_of(0 * gather<edgewise::sum>(src<x>) + dropped, bindings(rows, numbers), 5);
  REQUIRE(std::count(kept.begin(), kept.end(), 0.0f) > 0);
  auto const kept_rows = bind<x>(wide(kept.data(), num_vertices, 5));
  CHECK(results_of(gather<edgewise::sum>(at_source(linear<other>(dropped))), bindings(rows, factors, numbers), 2) ==
        results_of(gather<edgewise::sum>(linear<other>(src<x>)), bindings(kept_rows, factors), 2));
}
