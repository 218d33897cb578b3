// Weighted sums by cuSPARSE, with the interface of a plan. Needs cusparse.h and CMake's edgewise::vendor; nothing else
// of the library does.
#pragma once

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/cost/cost_text.hpp>
#include <edgewise/cost/program_cost.hpp>
#include <edgewise/engine/cuda/engine.cuh>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/plan/kept_nothing.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/same_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/vendor/vendor_product.cuh>

namespace edgewise::inline v0 {

namespace detail {

/// The programs that are a product of a sparse and a dense matrix: their gather, and their leaves.
template <class Program>
struct spmm_program {
  static constexpr bool is_one = false;
};
template <class Gather, class Features>
struct spmm_program<gather_node<Gather, leaf<role::source, Features>>> {
  static constexpr bool is_one = std::is_same_v<Gather, sum> || std::is_same_v<Gather, mean>;
  static constexpr bool is_mean = std::is_same_v<Gather, mean>;
  static constexpr bool is_weighted = false;
  using features = leaf<role::source, Features>;
  using leaves = type_list<features>;
};
template <class Gather, class Weights, class Features>
struct spmm_program<
    gather_node<Gather, node<operation::multiply, leaf<role::edge, Weights>, leaf<role::source, Features>>>>
    : spmm_program<gather_node<Gather, leaf<role::source, Features>>> {
  static constexpr bool is_weighted = true;
  using weights = leaf<role::edge, Weights>;
  using leaves = type_list<weights, leaf<role::source, Features>>;
};
template <class Gather, class Features, class Weights>
struct spmm_program<
    gather_node<Gather, node<operation::multiply, leaf<role::source, Features>, leaf<role::edge, Weights>>>>
    : spmm_program<
          gather_node<Gather, node<operation::multiply, leaf<role::edge, Weights>, leaf<role::source, Features>>>> {};

template <class Program>
struct require_spmm_program {
  static_assert(
      spmm_program<Program>::is_one,
      "vendor_spmm: cuSPARSE computes gather<sum> or gather<mean> of src<h> or of edge<w> * src<h>, and nothing "
      "above it; fuse takes every other program");
  static constexpr bool ok = spmm_program<Program>::is_one;
};

template <class Graph>
inline constexpr bool has_narrow_indices = std::is_same_v<typename graph_traits<Graph>::index_type, std::int32_t>&&
    std::is_same_v<typename graph_traits<Graph>::offset_type, std::int32_t>;

/// What vendor_spmm takes, part by part.
template <class Graph, class Table, class Features, class Weights>
struct require_spmm_operands {
  static_assert(has_narrow_indices<Graph>,
                "vendor_spmm: takes graphs with 32-bit vertices and offsets; fuse takes 64-bit offsets");
  static_assert(Features::kind == operand_kind::wide, "vendor_spmm: the features are bound as wide");
  static_assert(Weights::kind == operand_kind::per_row || std::is_same_v<Weights, Features>,
                "vendor_spmm: the weights are bound as per_row, one number an edge; fuse takes a weight for each head");
  static_assert(
      has_vendor_type<typename Features::value_type> &&
          std::is_same_v<std::remove_const_t<typename Features::value_type>,
                         std::remove_const_t<typename Weights::value_type>>,
      "vendor_spmm: features and weights are both float or both double; fuse takes 16-bit types and mixtures");
  static constexpr bool ok = true;
};

/// The gradient that cuSPARSE forms.
template <class Features, class T, bool HasSource, class... Request>
struct require_spmm_gradient {
  static_assert(sizeof...(Request) == 1 && (targets_leaf<typename Request::target, Features> && ...),
                "vendor_spmm: gives the gradient of the features alone; that of weights is a fused program, "
                "scatter(dot(dst<g>, src<h>))");
  static_assert(HasSource,
                "backward: the gradient of a source operand needs the edges grouped by source; build the graph with "
                "both groupings, graph{csr, csc}");
  static_assert((std::is_same_v<typename Request::view_type::value_type, T> && ...),
                "vendor_spmm: gradients have the type of the features");
  static constexpr bool ok = true;
};

/// A sum or mean of weighted features by cuSPARSE. Owns the library's handle, the matrix of each grouping, its values,
/// the algorithm and its workspace; the transpose of the backward pass is the grouping by source, never a transposed
/// product, which would add by atomics. Backward is for the gradient of the features alone; outputs and gradients have
/// their type. Values are the weights themselves where these lie in the order of the grouping, without gaps; otherwise,
/// for means and for sums without weights, the recipe holds a number per edge for each grouping, which every call
/// writes anew from weights. Determinism: none is promised; see `spmm_algorithm`.
template <class Graph, class Program, class Bindings>
class vendor_recipe : public recipe_base<cuda, Graph, Bindings> {
  using base = recipe_base<cuda, Graph, Bindings>;
  using graph_traits = detail::graph_traits<Graph>;
  using traits = spmm_program<Program>;
  using T = std::remove_const_t<typename view_bound_to<typename traits::features, Bindings>::value_type>;
  using product = vendor_product<T>;
  using base::extents_;
  using base::graph_;

public:
  using leaves = typename traits::leaves;
  using accumulator = T;
  using saved_type = kept_nothing;
  static constexpr operand_kind out_kind = operand_kind::wide;

  vendor_recipe(Graph const& graph, Bindings const& in) : base(graph, checked_extents(graph, in), sizing::exact) {}
  void make(cuda const& exec, Bindings const& in, spmm_algorithm algorithm) {
    if constexpr (graph_traits::has_source) {
      require_same_edges(exec, graph_,
                         traits::is_weighted ? edge_identity::endpoints_and_id : edge_identity::endpoints);
    }
    memory_resource* const memory = engine<cuda>::memory(exec);
    auto const destination_offsets = traits::is_mean ? graph_traits::by_destination(graph_).offsets : nullptr;
    auto const make_product = [&](auto const& grouping, bool rows_are_destinations) {
      return product(exec.stream, memory, library_, grouping, columns(), weights_of(in), destination_offsets,
                     rows_are_destinations, algorithm);
    };
    by_destination_ = make_product(graph_traits::by_destination(graph_), true);
    if constexpr (graph_traits::has_source) by_source_ = make_product(graph_traits::by_source(graph_), false);
  }

  static void check_graph(Graph const& graph) { require_same_counts(graph); }
  template <class Any = void>
  static void refuse_rebuild() {
    static_assert(!std::is_void_v<Any>, "rebuild: a plan of vendor_spmm is of one graph; make another plan");
  }
  /// Bytes of workspace and values.
  std::size_t workspace_bytes() const { return by_destination_.size_bytes() + by_source_.size_bytes(); }
  saved_type saved(cuda const&, shared_mark const& mark) const { return saved_type(mark); }
  std::string explain() const {
    auto const counts = graph_traits::counts(graph_);
    std::string result = joined("graph: ", counts.destinations, " destinations, ", counts.sources, " sources, ",
                                counts.edges, " edges\nrows: ", extents_.heads, " heads x ", extents_.channels,
                                " channels\nforward: ", library_.version(), ", ", by_destination_.description(), "\n");
    if constexpr (graph_traits::has_source) {
      result += "backward: " + by_source_.description() + ", with the grouping by source as transpose\n";
    }
    return result + joined("workspace: ", workspace_bytes(), " bytes\n");
  }
  /// Calls f(cost) for the product; what the vendor's algorithm moves besides is not counted.
  template <class F>
  auto with_cost(F const& f) const {
    using lowered = std::remove_cvref_t<decltype(lower_program(std::declval<Program const&>()))>;
    return f(spmm_cost<program_cost<Graph, lowered, Bindings>>{{graph_, extents_}});
  }

  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }
  template <class View>
  void forward(cuda const& exec, Bindings const& in, View const& view, saved_type*) const {
    static_assert(std::is_same_v<typename View::value_type, T>, "vendor_spmm: the output has the type of the features");
    auto const& features = view_for<typename traits::features>(in);
    by_destination_.run(exec.stream, library_, graph_traits::by_destination(graph_), weights_of(in), features.data,
                        features.row_stride, view.data, view.row_stride, false);
  }

  template <class GradView, class... Request>
  using require_gradients = require_spmm_gradient<typename traits::features, T, graph_traits::has_source, Request...>;
  template <class GradView, class Request>
  void backward(cuda const& exec, Bindings const& in, saved_type const&, output_gradient<GradView> const& adjoint,
                Request const& request) const {
    static_assert(std::is_same_v<std::remove_const_t<typename GradView::value_type>, T>,
                  "vendor_spmm: gradients have the type of the features");
    if constexpr (graph_traits::has_source) {
      by_source_.run(exec.stream, library_, graph_traits::by_source(graph_), weights_of(in), adjoint.view.data,
                     adjoint.view.row_stride, request.view.data, request.view.row_stride, Request::accumulates);
    }
  }

private:
  /// The cost of the product, whose only gradient is that of the features.
  template <class Cost>
  struct spmm_cost {
    using default_output = T;
    using every_gradient = type_list<assumed_request<whole_leaf<typename traits::features>, T>>;
    Cost cost;
    template <class Out>
    plan_cost forward(bool saves) const {
      return cost.template forward<Out>(saves);
    }
    template <class Out, class Requests>
    plan_cost backward(Requests requests) const {
      return cost.template backward<Out>(requests);
    }
  };

  static row_extents checked_extents(Graph const& graph, Bindings const& in) {
    check_graph(graph);
    return check_operands<leaves>(in, graph_traits::counts(graph));
  }
  std::int64_t columns() const { return std::int64_t{extents_.heads} * extents_.channels; }

  static spmm_weights<T> weights_of(Bindings const& in) {
    if constexpr (traits::is_weighted) {
      auto const& view = view_for<typename traits::weights>(in);
      return {view.data, view.row_stride};
    } else {
      return {};
    }
  }

  vendor_library library_;
  product by_destination_;
  product by_source_;
};

}  // namespace detail

/// Plans `gather<sum>` or `gather<mean>` of `src<h>` or `edge<w> * src<h>` for cuSPARSE; symmetric normalisation is a
/// matter of the weights (format/normalize.hpp). Another program is refused by a sentence. `measured` times the
/// library's CSR algorithms for each grouping while the plan is made, with two scratch tables from the memory resource;
/// it waits for the stream. Throws as `fused_kernel::plan` does, and `vendor_error`.
template <class... Formats, expression E, class... Binding>
auto vendor_spmm(cuda const& exec, graph<Formats...> const& g, E const&, binding_set<Binding...> const& in,
                 spmm_algorithm algorithm = spmm_algorithm::measured) {
  if constexpr (detail::require_spmm_program<E>::ok) {
    using traits = detail::spmm_program<E>;
    using bindings_type = binding_set<Binding...>;
    using table = typename detail::operand_table<typename traits::leaves, bindings_type>::type;
    using features = detail::view_bound_to<typename traits::features, bindings_type>;
    using weights = detail::view_bound_to<type_at<0, typename traits::leaves>, bindings_type>;
    static_assert(detail::require_spmm_operands<graph<Formats...>, table, features, weights>::ok);
    using recipe = detail::vendor_recipe<graph<Formats...>, E, bindings_type>;
    return plan<recipe>(exec, recipe(g, in), in, algorithm);
  }
}

}  // namespace edgewise::inline v0
