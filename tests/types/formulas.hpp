// The formulas of the papers' layers, as types: each is fused and bound over graph{csr, csc}, and what its plan is made
// of must be as the formula says. Nothing runs; the .cpp and the .cu that include this need no flag but -std=c++20.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/edgewise.hpp>

namespace formulas {

namespace ew = edgewise;
using kind = ew::operand_kind;

// ---- names
struct h;   // features
struct w;   // edge weights
struct el;  // GAT: score of the source
struct er;  // GAT: score of the destination
struct l;   // GATv2: destination's features
struct r;   // GATv2: source's features
struct a;   // GATv2: one attention vector per head
struct q;   // graph transformer
struct k;
struct v;
struct p;          // MoNet: pseudo-coordinates
struct mu;         // means of kernels
struct inv_sigma;  // inverse widths of kernels
struct b;          // bias
struct scale;      // PNA: one factor per row
struct drop;

// ---- formulas, as the design's section 2 writes them
constexpr auto gcn = ew::gather<ew::sum>(ew::edge<w> * ew::src<h>);
constexpr auto gat = ew::gather<ew::sum>(ew::softmax(ew::leaky_relu(ew::src<el> + ew::dst<er>, 0.2f)) * ew::src<h>);
constexpr auto gatv2 =
    ew::gather<ew::sum>(ew::softmax(ew::dot(ew::param<a>, ew::leaky_relu(ew::dst<l> + ew::src<r>, 0.2f))) * ew::src<r>);
constexpr auto gt = ew::gather<ew::sum>(ew::softmax(ew::dot(ew::dst<q>, ew::src<k>) * 0.125f) * ew::src<v>);
constexpr auto sage = ew::gather<ew::max>(ew::src<h>);
constexpr auto monet = ew::gather<ew::sum>(
    ew::exp(-0.5f * ew::sum_over<2>(ew::square((ew::edge<p> - ew::param<mu>)*ew::param<inv_sigma>))) * ew::src<h>);
constexpr auto layer = ew::relu(ew::gather<ew::sum>(ew::with_self(ew::edge<w> * ew::src<h>)) + ew::param<b>);
constexpr auto pna_message = ew::edge<w> * ew::src<h>;
constexpr auto pna = ew::concat(ew::gather<ew::mean>(pna_message),
                                ew::dst<scale>* ew::gather<ew::max>(pna_message),  // one traversal for the four
                                ew::gather<ew::min>(pna_message), ew::gather<ew::stddev>(pna_message));

// ---- the other nodes that section 2 names
struct gate {
  template <class T>
  EDGEWISE_HD T operator()(T x, T weight) const {
    return x / (T(1) + ew::exp(-weight * x));
  }
};
constexpr auto functor = ew::gather<ew::sum>(ew::apply(gate{}, ew::src<h>, ew::edge<w>));
constexpr auto edge_conv = ew::gather<ew::max>(ew::elu(ew::src<h> - ew::dst<h>) / ew::maximum(ew::abs(ew::edge<w>), 1));
constexpr auto activations =
    ew::gather<ew::prod>(ew::sigmoid(ew::log(ew::sqrt(ew::square(ew::src<h>)))) * ew::tanh(ew::edge<w>)) +
    ew::dropout<drop>(ew::gather<ew::min>(ew::minimum(ew::src<h>, ew::dst<h>)), 0.5);
constexpr auto monet_of_all_kernels = ew::sum_heads(monet);
constexpr auto scores = ew::scatter(ew::dot(ew::dst<q>, ew::src<k>));
constexpr auto weights = ew::scatter(ew::softmax(ew::src<el> + ew::dst<er>));

// ---- the papers' verbs make the same expressions
struct to_attention {
  template <class Score, class Value>
  constexpr auto operator()(Score const& score, Value const& value) const {
    return ew::softmax(score) * value;
  }
};
struct to_leaky_relu {
  template <class Score>
  constexpr auto operator()(Score const& score) const {
    return ew::leaky_relu(score, 0.2f);
  }
};
struct to_relu {
  template <class Value>
  constexpr auto operator()(Value const& value) const {
    return ew::relu(value + ew::param<b>);
  }
};
constexpr auto gat_sums = ew::scatter(ew::operation::add{}, ew::src<el>, ew::dst<er>);
constexpr auto gat_by_verbs =
    ew::aggregate<ew::sum>(to_attention{}, ew::apply_edge(to_leaky_relu{}, gat_sums), ew::src<h>);
constexpr auto weights_by_verbs = ew::reduce_scatter<ew::softmax_over_edges>(gat_sums);
constexpr auto layer_by_verbs =
    ew::apply_vertex(to_relu{}, ew::gather<ew::sum>(ew::with_self(ew::edge<w>* ew::src<h>)));
static_assert(std::is_same_v<decltype(gat_by_verbs), decltype(gat)>);
static_assert(std::is_same_v<decltype(weights_by_verbs), decltype(weights)>);
static_assert(std::is_same_v<decltype(layer_by_verbs), decltype(layer)>);

// ---- bindings by kind, and the plan of a formula
template <class Name, kind Kind, class T = float>
using bound = ew::binding<ew::every_role<Name>, ew::operand_view<T const, Kind>>;
template <class Name, kind Kind, int Length>
using bound_vec = ew::binding<ew::every_role<Name>, ew::vec_view<float const, Kind, Length>>;
template <class Name>
using bound_random = ew::binding<ew::every_role<Name>, ew::random_numbers_view>;
/// A gradient of Name that is asked for.
template <class Name, kind Kind, class T = float>
using gradient = ew::gradient_request<ew::every_role<Name>, ew::operand_view<T, Kind>, false>;
template <class Name, kind Kind, int Length>
using gradient_vec = ew::gradient_request<ew::every_role<Name>, ew::vec_view<float, Kind, Length>, false>;

using groupings = ew::graph<ew::csr_view<>, ew::csc_view<>>;

template <class Exec, class E, class... Binding>
using plan_of = decltype(ew::fuse(std::declval<groupings const&>(), ew::automatic{}, std::declval<E const&>())
                             .plan(std::declval<Exec const&>(), std::declval<ew::binding_set<Binding...> const&>()));

/// The types that a plan is made of. Program: with its components apart.
template <class Plan>
struct parts;
template <class Exec, class Graph, class Mapping, class Program, class Bindings, class Extents, class Sums>
struct parts<ew::plan<ew::detail::rows_gather<Exec, Graph, Mapping, Program, Bindings, Extents, Sums>>> {
  using leaves = ew::unique_types<ew::concat_types<typename Program::leaves, typename Program::self_leaves,
                                                   ew::detail::operand_leaves<typename Program::epilogue_type>>>;
  using table = typename ew::detail::operand_table<leaves, Bindings>::type;
  using accumulator = typename ew::detail::table_accumulator<table>::type;
  using traits = ew::detail::program_traits<Program, table, std::int32_t, accumulator>;
  template <class... Request>
  using gradients = ew::detail::gradient_plan<Program, table, Request...>;
};
template <class Exec, class Graph, class Mapping, class Aggregation, class Bindings, class Extents>
struct parts<ew::plan<ew::detail::rows_edges<Exec, Graph, Mapping, Aggregation, Bindings, Extents>>> {
  using program = ew::detail::edge_program<Aggregation>;
  using table = typename ew::detail::operand_table<typename program::leaves, Bindings>::type;
  using accumulator = typename ew::detail::table_accumulator<table>::type;
  using traits = ew::detail::edge_traits<program, table, std::int32_t, accumulator>;
  template <class... Request>
  using gradients = ew::detail::gradient_plan<program, table, Request...>;
};

/// A formula with its operands bound, planned for Exec.
template <class Exec, auto const& Formula, class... Binding>
struct formula {
  using plan_type = plan_of<Exec, decltype(Formula), Binding...>;
  using parts_type = parts<plan_type>;
  using traits = typename parts_type::traits;
  using accumulator = typename parts_type::accumulator;
  static constexpr kind out = traits::out_kind;  ///< over which axes the output varies
  static constexpr int num_gathers = traits::num_aggregations;
  /// What gather I keeps for the backward pass, and over which axes.
  template <int I = 0>
  using saved = typename traits::template fields_of<I>::saved;
  template <int I = 0>
  static constexpr kind saved_kind = traits::template fields_of<I>::saved_kind;

  /// Can these gradients be formed, by traversals of which groupings?
  template <class... Request>
  static constexpr bool has_gradients =
      ew::detail::require_gradients<typename parts_type::template gradients<Request...>, true>::ok;
  template <class... Request>
  static constexpr bool walks_destinations = parts_type::template gradients<Request...>::runs_destination;
  template <class... Request>
  static constexpr bool walks_sources = parts_type::template gradients<Request...>::runs_source;
};

using ew::type_list;

/// Every assertion for plans on Exec.
template <class Exec>
struct checks {
  using of_gcn = formula<Exec, gcn, bound<w, kind::per_row>, bound<h, kind::wide>>;
  static_assert(of_gcn::out == kind::wide && of_gcn::num_gathers == 1);
  static_assert(std::is_same_v<typename of_gcn::accumulator, float>);
  static_assert(std::is_same_v<typename of_gcn::template saved<>, type_list<>>);
  static_assert(of_gcn::template has_gradients<gradient<h, kind::wide>, gradient<w, kind::per_row>>);
  static_assert(of_gcn::template walks_sources<gradient<h, kind::wide>, gradient<w, kind::per_row>> &&
                !of_gcn::template walks_destinations<gradient<h, kind::wide>, gradient<w, kind::per_row>>);
  static_assert(of_gcn::template walks_destinations<gradient<w, kind::per_row>> &&
                !of_gcn::template walks_sources<gradient<w, kind::per_row>>);
  using gcn_of_scalars = formula<Exec, gcn, bound<w, kind::per_row>, bound<h, kind::per_row>>;
  static_assert(gcn_of_scalars::out == kind::per_row);
  using gcn_of_doubles = formula<Exec, gcn, bound<w, kind::per_head, double>, bound<h, kind::per_head, double>>;
  static_assert(gcn_of_doubles::out == kind::per_head);
  static_assert(std::is_same_v<typename gcn_of_doubles::accumulator, double>);
  using gcn_of_bfloat16 = formula<Exec, gcn, bound<w, kind::per_row>, bound<h, kind::wide, ew::bfloat16>>;
  static_assert(std::is_same_v<typename gcn_of_bfloat16::accumulator, float>);

  using of_gat = formula<Exec, gat, bound<el, kind::per_head>, bound<er, kind::per_head>, bound<h, kind::wide>>;
  static_assert(of_gat::out == kind::wide && of_gat::num_gathers == 1);
  static_assert(std::is_same_v<typename of_gat::template saved<>, type_list<ew::softmax_normalizer<float>>>);
  static_assert(of_gat::template saved_kind<> == kind::per_head);  // one per head, not per channel
  static_assert(of_gat::template has_gradients<gradient<el, kind::per_head>, gradient<er, kind::per_head>,
                                               gradient<h, kind::wide>>);
  static_assert(of_gat::template walks_sources<gradient<el, kind::per_head>> &&
                of_gat::template walks_destinations<gradient<er, kind::per_head>> &&
                !of_gat::template walks_destinations<gradient<el, kind::per_head>>);

  using of_gatv2 = formula<Exec, gatv2, bound<a, kind::wide>, bound<l, kind::wide>, bound<r, kind::wide>>;
  static_assert(of_gatv2::out == kind::wide && of_gatv2::template saved_kind<> == kind::per_head);
  static_assert(
      of_gatv2::template has_gradients<gradient<a, kind::wide>, gradient<l, kind::wide>, gradient<r, kind::wide>>);
  static_assert(of_gatv2::template walks_destinations<gradient<a, kind::wide>>);  // rides where something must run

  using of_gt = formula<Exec, gt, bound<q, kind::wide>, bound<k, kind::wide>, bound<v, kind::wide>>;
  static_assert(of_gt::out == kind::wide && of_gt::template saved_kind<> == kind::per_head);
  static_assert(
      of_gt::template has_gradients<gradient<q, kind::wide>, gradient<k, kind::wide>, gradient<v, kind::wide>>);

  using of_sage = formula<Exec, sage, bound<h, kind::wide>>;
  static_assert(of_sage::out == kind::wide && of_sage::template saved_kind<> == kind::wide);
  static_assert(std::is_same_v<typename of_sage::template saved<>, type_list<std::int32_t>>);  // one edge per channel
  static_assert(of_sage::template has_gradients<gradient<h, kind::wide>>);

  using of_monet = formula<Exec, monet, bound_vec<p, kind::per_row, 2>, bound_vec<mu, kind::per_head, 2>,
                           bound_vec<inv_sigma, kind::per_head, 2>, bound<h, kind::per_channel>>;
  static_assert(of_monet::out == kind::wide);  // [rows, kernels, channels]
  static_assert(
      of_monet::template has_gradients<gradient_vec<mu, kind::per_head, 2>, gradient_vec<inv_sigma, kind::per_head, 2>,
                                       gradient<h, kind::per_channel>>);
  using of_all_kernels =
      formula<Exec, monet_of_all_kernels, bound_vec<p, kind::per_row, 2>, bound_vec<mu, kind::per_head, 2>,
              bound_vec<inv_sigma, kind::per_head, 2>, bound<h, kind::per_channel>>;
  static_assert(of_all_kernels::out == kind::per_channel);

  using self_weight = ew::binding<ew::every_role<ew::self<w>>, ew::operand_view<float const, kind::per_row>>;
  using of_layer =
      formula<Exec, layer, bound<w, kind::per_row>, self_weight, bound<h, kind::wide>, bound<b, kind::per_channel>>;
  static_assert(of_layer::out == kind::wide && of_layer::num_gathers == 1);
  static_assert(of_layer::traits::template has_self_edge<0> && !of_gcn::traits::template has_self_edge<0>);
  static_assert(of_layer::traits::template keeps_result<0> && !of_gcn::traits::template keeps_result<0>);
  static_assert(of_layer::template has_gradients<gradient<w, kind::per_row>, gradient<ew::self<w>, kind::per_row>,
                                                 gradient<h, kind::wide>, gradient<b, kind::per_channel>>);

  using of_pna = formula<Exec, pna, bound<w, kind::per_row>, bound<h, kind::wide>, bound<scale, kind::per_row>>;
  static_assert(of_pna::out == kind::wide && of_pna::num_gathers == 4 && of_pna::traits::num_parts == 4);
  static_assert(std::is_same_v<typename of_pna::template saved<1>, type_list<std::int32_t>>);
  static_assert(std::is_same_v<typename of_pna::template saved<3>, type_list<float, float>>);
  static_assert(of_pna::template has_gradients<gradient<w, kind::per_row>, gradient<h, kind::wide>,
                                               gradient<scale, kind::per_row>>);

  using of_functor = formula<Exec, functor, bound<h, kind::wide>, bound<w, kind::per_row>>;
  static_assert(of_functor::out == kind::wide);
  using of_edge_conv = formula<Exec, edge_conv, bound<h, kind::wide>, bound<w, kind::per_row>>;
  static_assert(of_edge_conv::out == kind::wide);
  static_assert(of_edge_conv::template walks_sources<gradient<h, kind::wide>> &&
                of_edge_conv::template walks_destinations<gradient<h, kind::wide>>);  // one tensor, both roles
  using of_activations = formula<Exec, activations, bound<h, kind::wide>, bound<w, kind::per_row>, bound_random<drop>>;
  static_assert(of_activations::out == kind::wide && of_activations::num_gathers == 2);
  static_assert(of_activations::template saved<0>::size == 2);

  using of_scores = formula<Exec, scores, bound<q, kind::wide>, bound<k, kind::wide>>;
  static_assert(of_scores::out == kind::per_head);
  static_assert(of_scores::template saved<>::size == 0);
  static_assert(of_scores::template has_gradients<gradient<q, kind::wide>, gradient<k, kind::wide>>);
  using of_weights = formula<Exec, weights, bound<el, kind::per_head>, bound<er, kind::per_head>>;
  static_assert(of_weights::out == kind::per_head);
  static_assert(of_weights::template saved<>::size == 1);

  static constexpr bool ok = true;
};

/// The code of section 9, as a user writes it. Extents: `any_extents`, or known ones for fewer kernels.
template <class Exec, class Extents>
void use(Exec const& exec, groupings const& g, int rows, int heads, int channels, float const* H, float const* EL,
         float const* ER, float* Y, float const* dY, float* dH, float* dEL, float* dER) {
  auto const kernel = ew::fuse(g, ew::automatic{}, gat, Extents{});
  auto const in =
      ew::bindings(ew::bind<h>(ew::wide(H, rows, heads, channels)), ew::bind<el>(ew::per_head(EL, rows, heads)),
                   ew::bind<er>(ew::per_head(ER, rows, heads)));
  auto const plan = kernel.plan(exec, in);
  static_assert(std::is_same_v<decltype(plan.explain()), std::string>);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(ew::wide(Y, rows, heads, channels)), saved);
  plan.backward(exec, in, saved, ew::grad_out(ew::wide(dY, rows, heads, channels)),
                ew::grad<h>(ew::wide(dH, rows, heads, channels)), ew::grad<el>(ew::per_head(dEL, rows, heads)),
                ew::accumulate<er>(ew::per_head(dER, rows, heads)));
}
template <class Exec>
using use_type = void(Exec const&, groupings const&, int, int, int, float const*, float const*, float const*, float*,
                      float const*, float*, float*, float*);

}  // namespace formulas
