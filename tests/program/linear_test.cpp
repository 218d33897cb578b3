#include "run_linear.hpp"

#include <algorithm>
#include <array>

#include "check_linear.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("linear: values and gradients on small graphs", "[program]", two_layers,
                   products_by_type EDGEWISE_MORE_CASES(edge_convolution, concatenated_rows, attention_layer,
                                                        scored_links, aggregated_first, tied_scores)) {
  auto const run = [](test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint) {
    return run_linear<TestType, double>(host_machine{}, graph, in, adjoint);
  };
  check_linear<TestType>(run, 1e-7);
}

TEMPLATE_TEST_CASE("linear: what both ends read of one table is one unit", "[program]", edge_convolution,
                   attention_layer, tied_scores) {
  auto const graph = multi_edges();
  random_stream random("linear: units");
  linear_inputs const in = [&]<class... Operand>(std::tuple<Operand...>*) {
    return linear_inputs{draw_rows(Operand::size(graph), random)...};
  }(static_cast<typename TestType::operands*>(nullptr));
  auto const found =
      run_linear<TestType, double>(host_machine{}, graph, in, draw_rows(linear_out_size<TestType>(graph), random));
  CHECK_THAT(found.text, Catch::StartsWith(std::to_string(TestType::num_units) + " units, "));
  bool const has_product = found.text.find("linear: ") != std::string::npos;
  CHECK((found.text.find("  read along edges: ") != std::string::npos) == has_product);
}

namespace {

/// MLP aggregation (Hu et al., SC 2020, figure 3b).
struct mlp_aggregation {
  static constexpr char const* name = "gather<max>(relu(linear<W>(src<h> + dst<h>)))";
  static constexpr bool is_square = true;
  static constexpr auto program = gather<edgewise::max>(relu(linear<W>(src<h> + dst<h>)));
  using operands = std::tuple<source_rows<h, 1, 8>, matrix_of<W, 8, 1, 20>>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 20;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x = times({8, in[0]}, in[1], 20);
    table out = zeros(graph.num_destinations, 20);
    for_edges(graph, out, [&](double* to, int, int s, int d) {
      for (std::size_t c = 0; c < 20; ++c) to[c] = std::max(to[c], x.row(s)[c] + x.row(d)[c]);
    });
    return out.data;
  }
};
/// A product along edges that numbers of edges scale, inside a program of two units, beside one for vertices.
struct scaled_products {
  static constexpr char const* name = "linear<V>(gather<mean>(tanh(linear<W>(edge<w> * src<h>)))) + dst<g>";
  static constexpr auto program = linear<V>(gather<mean>(tanh(linear<W>(edge<w> * src<h>)))) + dst<g>;
  using operands = std::tuple<source_rows<h, 1, 4>, destination_rows<g, 1, 3>,
                              linear_operand<w, linear_rows::edges, 1, 1, operand_kind::per_row>, matrix_of<W, 4, 2, 3>,
                              matrix_of<V, 6, 1, 3>>;
  static constexpr int out_heads = 1;
  static constexpr int out_channels = 3;
  static std::vector<double> reference(test_graph const& graph, linear_inputs const& in) {
    table const x = times({4, in[0]}, in[3], 6);
    table mean = zeros(graph.num_destinations, 6);
    for_edges(graph, mean, [&](double* to, int e, int s, int d) {
      for (std::size_t c = 0; c < 6; ++c) {
        to[c] += std::tanh(in[2][static_cast<std::size_t>(e)] * x.row(s)[c]) / graph.by_destination.degree(d);
      }
    });
    table out = times(mean, in[4], 3);
    for (std::size_t i = 0; i < out.data.size(); ++i) out.data[i] += in[1][i];
    return out.data;
  }
};

}  // namespace

TEST_CASE("along_edges: values and gradients on small graphs", "[program]") {
  auto const run = []<class Case, int Inputs>(Case, along_edges<Inputs> option) {
    check_linear<Case>(
        [=](test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint) {
          return run_linear<Case, double>(host_machine{}, graph, in, adjoint, option);
        },
        1e-7);
  };
  run(mlp_aggregation{}, along_edges<8>{});
  run(scaled_products{}, along_edges<4>{});
}

namespace {

/// concatenated_rows on the host with arrays that a test can change.
struct concatenated_run {
  explicit concatenated_run(test_graph const& on) : graph(on) {
    random_stream random("linear: concatenated");
    for (std::size_t size : {4 * vertices(), 3 * vertices(), edges(), std::size_t{11 * 6}, 6 * vertices()}) {
      in.push_back(draw_rows(size, random));
    }
  }
  std::size_t vertices() const { return static_cast<std::size_t>(graph.num_sources); }
  std::size_t edges() const { return static_cast<std::size_t>(graph.num_edges()); }
  auto bound() {
    auto const n = static_cast<std::int64_t>(vertices());
    return bindings(bind<h>(wide(in[0].data(), n, 2, 2)), bind<g>(wide(in[1].data(), n, 3)),
                    bind<w>(per_row(in[2].data(), static_cast<std::int64_t>(edges()))),
                    bind<W>(wide(in[3].data(), 11, 6)));
  }
  auto kernel() const {
    return fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, concatenated_rows::program);
  }
  auto y() { return wide(out_rows.data(), static_cast<std::int64_t>(vertices()), 6); }
  auto dy() const { return wide(in[4].data(), static_cast<std::int64_t>(vertices()), 6); }

  test_graph graph;
  linear_inputs in;
  std::vector<double> out_rows = std::vector<double>(6 * vertices());
};

}  // namespace

TEST_CASE("linear: the gradient of a matrix is added to, block by block", "[program]") {
  concatenated_run run(multi_edges());
  auto const in = run.bound();
  auto const plan = run.kernel().plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(run.y()), saved);
  std::vector<double> once(66, 7), twice(66, 1);
  plan.backward(cpu{}, in, saved, grad_out(run.dy()), grad<W>(wide(once.data(), 11, 6)));
  plan.backward(cpu{}, in, saved, grad_out(run.dy()), accumulate<W>(wide(twice.data(), 11, 6)));
  plan.backward(cpu{}, in, saved, grad_out(run.dy()), accumulate<W>(wide(twice.data(), 11, 6)));
  std::vector<double> expected;
  for (double const x : once) expected.push_back(1 + 2 * x);
  CHECK(count_far(twice, expected, 1e-12) == 0);
  // Rows apart from each other: what lies between is not the gradient's.
  std::vector<double> apart(11 * 8, 5);
  plan.backward(cpu{}, in, saved, grad_out(run.dy()), grad<W>(wide(apart.data(), 11, 1, 6, 8)));
  int wrong = 0;
  for (std::size_t i = 0; i < apart.size(); ++i) wrong += apart[i] != (i % 8 < 6 ? once[i / 8 * 6 + i % 8] : 5);
  CHECK(wrong == 0);
}

TEST_CASE("linear: a plan for a capacity takes smaller graphs", "[program]") {
  concatenated_run large(one_hub(90, 12)), small(multi_edges());
  auto plan = large.kernel().plan_for_capacity(cpu{}, large.bound());
  auto saved = plan.make_saved(cpu{});
  plan.rebuild(cpu{}, edgewise::graph{small.graph.csr(), small.graph.csc()});
  plan.forward(cpu{}, small.bound(), out(small.y()), saved);
  CHECK(count_far(small.out_rows, concatenated_rows::reference(small.graph, small.in), 1e-12) == 0);
  std::vector<double> gradient(66), expected(66);
  plan.backward(cpu{}, small.bound(), saved, grad_out(small.dy()), grad<W>(wide(gradient.data(), 11, 6)));
  auto const exact = small.kernel().plan(cpu{}, small.bound());
  auto own = exact.make_saved(cpu{});
  exact.forward(cpu{}, small.bound(), out(small.y()), own);
  exact.backward(cpu{}, small.bound(), own, grad_out(small.dy()), grad<W>(wide(expected.data(), 11, 6)));
  CHECK(gradient == expected);
}

TEST_CASE("linear: units that others stand for take part in no rebuild", "[program]") {
  auto const large = one_hub(90, 12);
  auto const small = multi_edges();
  random_stream random("linear: rebuild");
  linear_inputs in;
  for (std::size_t size : {std::size_t{12 * 7}, std::size_t{84}, std::size_t{84}})
    in.push_back(draw_rows(size, random));
  auto const bound = [&](int vertices) {
    return bindings(bind<h>(wide(in[0].data(), vertices, 7)), bind<W>(wide(in[1].data(), 7, 3, 4)),
                    bind<V>(wide(in[2].data(), 7, 3, 4)));
  };
  auto const kernel = fuse(edgewise::graph{large.csr(), large.csc()}, automatic{}, edge_convolution::program);
  auto plan = kernel.plan_for_capacity(cpu{}, bound(12));
  auto saved = plan.make_saved(cpu{});
  plan.rebuild(cpu{}, edgewise::graph{small.csr(), small.csc()});
  std::vector<double> y(4 * 12), gradient(84);
  plan.forward(cpu{}, bound(4), out(wide(y.data(), 4, 3, 4)), saved);
  CHECK(count_far(y, edge_convolution::reference(small, in), 1e-12) == 0);
  CHECK_NOTHROW(plan.backward(cpu{}, bound(4), saved, grad_out(wide(y.data(), 4, 3, 4)),
                              grad<W>(wide(gradient.data(), 7, 3, 4))));
}

TEST_CASE("linear: wrong shapes are refused by name", "[program]") {
  concatenated_run run(multi_edges());
  auto const bound_to = [&](std::int64_t inputs, int outputs) {
    run.in[3].resize(static_cast<std::size_t>(inputs * outputs));
    return bindings(bind<h>(wide(run.in[0].data(), 4, 2, 2)), bind<g>(wide(run.in[1].data(), 4, 3)),
                    bind<w>(per_row(run.in[2].data(), 12)), bind<W>(wide(run.in[3].data(), inputs, outputs)));
  };
  CHECK_THROWS_WITH(run.kernel().plan(cpu{}, bound_to(10, 6)),
                    Catch::Contains("W> has 10 rows, its input rows have 11 elements, 3 of dst<") &&
                        Catch::Contains(" + 4 of ") && Catch::Contains("of unit "));
  auto const plan = run.kernel().plan(cpu{}, bound_to(11, 6));
  CHECK_THROWS_WITH(plan.forward(cpu{}, bound_to(11, 7), out(run.y())),
                    Catch::Contains("has shape [11, 1, 7], the plan was made for [11, 1, 6]"));
  auto const no_rows = bindings(bind<h>(wide(run.in[0].data(), 4, 2, 2)), bind<g>(wide(run.in[1].data(), 5, 3)),
                                bind<w>(per_row(run.in[2].data(), 12)), bind<W>(wide(run.in[3].data(), 11, 6)));
  CHECK_THROWS_WITH(plan.forward(cpu{}, no_rows, out(run.y())), Catch::Contains("has 5 rows, the graph has 4"));
  auto const along = fuse(edgewise::graph{run.graph.csr()}, automatic{}, mlp_aggregation::program, along_edges<8>{});
  std::vector<double> x(28), m(7 * 20);
  CHECK_THROWS_WITH(along.plan(cpu{}, bindings(bind<h>(wide(x.data(), 4, 7)), bind<W>(wide(m.data(), 7, 20)))),
                    Catch::Contains("has 7 elements a row, the program was fused along_edges<8>"));
}

TEST_CASE("linear: what a plan of products costs", "[program]") {
  std::vector<float> x(4 * 6), m(6 * 33), weights(12), y(4 * 33);
  auto const graph = multi_edges();
  auto const in = bindings(bind<h>(wide(x.data(), 4, 6)), bind<g>(wide(x.data(), 4, 6)),
                           bind<w>(per_row(weights.data(), 12)), bind<W>(wide(m.data(), 6, 33)));
  auto const plan =
      fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, aggregated_first::program).plan(cpu{}, in);
  auto const sums = fuse(edgewise::graph{graph.csr()}, automatic{}, gather<sum>(edge<w> * src<h>) + dst<g>)
                        .plan(cpu{}, bindings(bind<h>(wide(x.data(), 4, 6)), bind<g>(wide(x.data(), 4, 6)),
                                              bind<w>(per_row(weights.data(), 12))));
  auto const of_sums = sums.forward_cost(out(wide(x.data(), 4, 6)));
  auto const all = plan.forward_cost(out(wide(y.data(), 4, 33)));
  CHECK(all.flops() == of_sums.flops() + 2 * 4 * 6 * 33);
  CHECK(all.gather_bytes() == of_sums.gather_bytes() + 4 * (4 * 6 + 4 * 33 + 6 * 33));
}

namespace {

struct norm;

/// A layer of R-GCN over a typed graph, in the order of choice: its value, and the gradients of x and of all W.
std::array<std::vector<double>, 3> run_typed_layer(test_graph const& graph, type_order order,
                                                   std::vector<double> const& x, std::vector<double> const& weights,
                                                   std::vector<double> const& matrices,
                                                   std::vector<double> const& adjoint, int inputs, int outputs) {
  std::vector<int> types;
  for (int e = 0; e < graph.num_edges(); ++e) types.push_back(graph.type_of(e));
  bool const transforms = order == type_order::transform_first;
  auto const pairs = find_typed_pairs(cpu{}, to_typed_edges(cpu{}, graph.csr(), types, graph.num_types),
                                      transforms ? endpoint::source : endpoint::destination);
  auto const edges_csr = to_csr(cpu{}, pairs.edges), members_csr = to_csr(cpu{}, pairs.members);
  auto const edges_csc = to_csc(cpu{}, pairs.edges), members_csc = to_csc(cpu{}, pairs.members);
  edgewise::graph const edges{edges_csr, edges_csc};
  edgewise::graph const members{members_csr, members_csc};
  std::int64_t const sources = graph.num_sources, destinations = graph.num_destinations, all = pairs.num_pairs();
  int const width = transforms ? inputs : outputs;
  std::vector<double> rows(static_cast<std::size_t>(all * width)), row_gradients(rows.size());
  std::vector<double> y(static_cast<std::size_t>(destinations * outputs)), dx(x.size()), dw(matrices.size());
  auto const matrix = [&](auto* data) { return wide(data, graph.num_types * inputs, outputs); };
  auto const to = out(wide(y.data(), destinations, outputs));
  auto const dy = grad_out(wide(adjoint.data(), destinations, outputs));
  auto const pair_rows = wide(rows.data(), all, width);
  auto const pair_gradients = wide(row_gradients.data(), all, width);
  auto const typed = bind<W>(by_type(matrix(matrices.data()), pairs.row_types()));
  auto const weighted = bind<norm>(per_row(weights.data(), graph.num_edges()));
  auto const of_members = gather<sum>(src<h>);
  if (transforms) {
    auto const in = bindings(bind<h>(wide(x.data(), sources, inputs)));
    auto const pair_in = bindings(bind<h>(pair_rows), typed, weighted);
    auto const copies = fuse(members, automatic{}, of_members).plan(cpu{}, in);
    auto const sums = fuse(edges, automatic{}, gather<sum>(edge<norm> * linear<W>(src<h>))).plan(cpu{}, pair_in);
    auto kept_copies = copies.make_saved(cpu{});
    auto kept_sums = sums.make_saved(cpu{});
    copies.forward(cpu{}, in, out(pair_rows), kept_copies);
    sums.forward(cpu{}, pair_in, to, kept_sums);
    sums.backward(cpu{}, pair_in, kept_sums, dy, grad<h>(pair_gradients), grad<W>(matrix(dw.data())));
    copies.backward(cpu{}, in, kept_copies, grad_out(pair_gradients), grad<h>(wide(dx.data(), sources, inputs)));
  } else {
    auto const in = bindings(bind<h>(wide(x.data(), sources, inputs)), typed, weighted);
    auto const pair_in = bindings(bind<h>(pair_rows));
    auto const sums = fuse(edges, automatic{}, linear<W>(gather<sum>(edge<norm> * src<h>))).plan(cpu{}, in);
    auto const totals = fuse(members, automatic{}, of_members).plan(cpu{}, pair_in);
    auto kept_sums = sums.make_saved(cpu{});
    auto kept_totals = totals.make_saved(cpu{});
    sums.forward(cpu{}, in, out(pair_rows), kept_sums);
    totals.forward(cpu{}, pair_in, to, kept_totals);
    totals.backward(cpu{}, pair_in, kept_totals, dy, grad<h>(pair_gradients));
    sums.backward(cpu{}, in, kept_sums, grad_out(pair_gradients), grad<h>(wide(dx.data(), sources, inputs)),
                  grad<W>(matrix(dw.data())));
  }
  return {y, dx, dw};
}

}  // namespace

TEST_CASE("by_type: both orders of a typed layer, values and gradients", "[program]") {
  constexpr int inputs = 5, outputs = 3;
  for (auto const& graph : {multi_edges(), isolated_vertices(), bipartite(11, 7, 0.4), random_skewed()}) {
    INFO(graph.name);
    random_stream random("by_type: orders on " + graph.name);
    auto const size = [](int rows, int width) {
      return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
    };
    auto const x = draw_rows(size(graph.num_sources, inputs), random);
    auto const weights = draw_rows(size(graph.num_edges(), 1), random);
    auto const matrices = draw_rows(size(graph.num_types * inputs, outputs), random);
    auto const adjoint = draw_rows(size(graph.num_destinations, outputs), random);
    std::vector<double> y(size(graph.num_destinations, outputs)), dx(x.size()), dw(matrices.size());
    for (int e = 0; e < graph.num_edges(); ++e) {
      auto const u = size(graph.sources[static_cast<std::size_t>(e)], inputs);
      auto const v = size(graph.destinations[static_cast<std::size_t>(e)], outputs);
      auto const m = size(graph.type_of(e), inputs * outputs);
      double const weight = weights[static_cast<std::size_t>(e)];
      for (std::size_t k = 0; k < inputs; ++k) {
        for (std::size_t c = 0; c < outputs; ++c) {
          y[v + c] += weight * x[u + k] * matrices[m + k * outputs + c];
          dx[u + k] += weight * adjoint[v + c] * matrices[m + k * outputs + c];
          dw[m + k * outputs + c] += weight * x[u + k] * adjoint[v + c];
        }
      }
    }
    for (type_order const order : {type_order::transform_first, type_order::aggregate_first}) {
      INFO("order " << static_cast<int>(order));
      auto const found = run_typed_layer(graph, order, x, weights, matrices, adjoint, inputs, outputs);
      CHECK(count_far(found[0], y, 1e-12) == 0);
      CHECK(count_far(found[1], dx, 1e-12) == 0);
      CHECK(count_far(found[2], dw, 1e-12) == 0);
    }
  }
}

TEST_CASE("by_type: the cheaper order has fewer pairs, or narrower rows", "[program]") {
  typed_sizes const even{.source_pairs = 1000, .destination_pairs = 1000, .edges = 2000, .inputs = 64, .outputs = 64};
  auto few_sources = even, few_destinations = even, narrow_outputs = even, narrow_inputs = even;
  few_sources.source_pairs = 100;
  few_destinations.destination_pairs = 100;
  narrow_outputs.outputs = 4;
  narrow_inputs.inputs = 4;
  CHECK(choose_type_order(few_sources) == type_order::transform_first);
  CHECK(choose_type_order(few_destinations) == type_order::aggregate_first);
  CHECK(choose_type_order(narrow_outputs) == type_order::transform_first);
  CHECK(choose_type_order(narrow_inputs) == type_order::aggregate_first);
}

TEST_CASE("by_type: types of other rows are refused by name", "[program]") {
  auto const graph = multi_edges();
  std::vector<double> x(4 * 2), matrices(3 * 2 * 5), y(4 * 5);
  std::vector<int> const offsets{0, 1, 1, 4}, two{0, 1, 4};
  auto const kernel = fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, gather<sum>(linear<W>(src<h>)));
  auto const bound = [&](std::int64_t matrix_rows, row_types_view<int> const& types) {
    return bindings(bind<h>(wide(x.data(), 4, 2)), bind<W>(by_type(wide(matrices.data(), matrix_rows, 5), types)));
  };
  CHECK_THROWS_WITH(
      kernel.plan(cpu{}, bound(6, {offsets.data(), 3, 3})),
      Catch::Contains("by_type: matrix<") && Catch::Contains("has types of 3 rows, the graph has 4 sources"));
  CHECK_THROWS_WITH(
      kernel.plan(cpu{}, bound(4, {offsets.data(), 3, 4})),
      Catch::Contains("has 4 rows, its input rows have 2 elements") && Catch::Contains("and there are 3 types"));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, bound(6, {nullptr, 3, 4})), Catch::Contains("has null offsets of types"));
  auto const plan = kernel.plan(cpu{}, bound(6, {offsets.data(), 3, 4}));
  CHECK(plan.explain().find(" of each of 3 types, by the engine") != std::string::npos);
  CHECK_THROWS_WITH(plan.forward(cpu{}, bound(4, {two.data(), 2, 4}), out(wide(y.data(), 4, 5))),
                    Catch::Contains("has 2 types, the plan was made for 3"));
}

TEST_CASE("by_type: gradients of matrices are overwritten, or added to, block by block", "[program]") {
  auto const graph = multi_edges();
  random_stream random("by_type: accumulated");
  auto const x = draw_rows(4 * 2, random), own = draw_rows(4 * 3, random), dy = draw_rows(4 * 6, random);
  auto const matrices = draw_rows(3 * 5 * 6, random);
  std::vector<int> const offsets{0, 1, 1, 4};
  auto const in = bindings(bind<h>(wide(x.data(), 4, 2)), bind<g>(wide(own.data(), 4, 3)),
                           bind<W>(by_type(wide(matrices.data(), 15, 6), row_types_view<int>{offsets.data(), 3, 4})));
  auto const plan =
      fuse(edgewise::graph{graph.csr(), graph.csc()}, automatic{}, linear<W>(concat(gather<sum>(src<h>), dst<g>)))
          .plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<double> y(24), once(90, 7), twice(90, 1), expected, apart(15 * 8, 5);
  plan.forward(cpu{}, in, out(wide(y.data(), 4, 6)), saved);
  auto const adjoint = grad_out(wide(dy.data(), 4, 6));
  plan.backward(cpu{}, in, saved, adjoint, grad<W>(wide(once.data(), 15, 6)));
  plan.backward(cpu{}, in, saved, adjoint, accumulate<W>(wide(twice.data(), 15, 6)));
  plan.backward(cpu{}, in, saved, adjoint, accumulate<W>(wide(twice.data(), 15, 6)));
  for (double const gradient : once) expected.push_back(1 + 2 * gradient);
  CHECK(count_far(twice, expected, 1e-12) == 0);
  CHECK(std::count(once.begin() + 30, once.begin() + 60, 0.0) == 30);  // type 1 has no rows
  plan.backward(cpu{}, in, saved, adjoint, grad<W>(wide(apart.data(), 15, 1, 6, 8)));
  int wrong = 0;
  for (std::size_t i = 0; i < apart.size(); ++i) wrong += apart[i] != (i % 8 < 6 ? once[i / 8 * 6 + i % 8] : 5);
  CHECK(wrong == 0);
}
