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
#include <edgewise/plan/call_advice.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/plan_mark.hpp>
#include <edgewise/plan/same_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/vendor/vendor_product.cuh>

namespace edgewise {

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

/// What a linear program keeps for its backward pass: that there was a forward pass.
class vendor_saved {
public:
  vendor_saved() = default;
  explicit vendor_saved(shared_mark const& maker) : maker_(maker) {}
  std::size_t size_bytes() const { return 0; }

  void fill(shared_mark const& plan) {
    check_maker(plan, "forward");
    is_filled_ = true;
  }
  void check_filled(shared_mark const& plan) const {
    check_maker(plan, "backward");
    if (!is_filled_) throw invalid_argument("backward: saved holds nothing; pass it to forward first");
  }

private:
  void check_maker(shared_mark const& plan, char const* call) const {
    if (!maker_) throw invalid_argument(text(call, ": saved is empty; it is made by make_saved of the plan"));
    if (maker_ != plan)
      throw invalid_argument(text(call, ": saved was made by another plan; use make_saved of this one"));
  }
  shared_mark maker_;
  bool is_filled_ = false;
};

}  // namespace detail

/// A sum or mean of weighted features planned for cuSPARSE. Owns the library's handle, the matrix of each grouping, its
/// values, the algorithm and its workspace; the transpose of the backward pass is the grouping by source, never a
/// transposed product, which would add by atomics. `forward` and `backward` are those of `plan`, with its checks, for
/// the gradient of the features alone. Values are the weights themselves where these lie in the order of the grouping,
/// without gaps; otherwise, for means and for sums without weights, the plan holds a number an edge for each grouping,
/// which every call writes anew from weights. Asynchronous, and allocates nothing on the device. Determinism: none is
/// promised; see `spmm_algorithm`.
template <class Graph, class Program, class Bindings>
class vendor_plan : detail::call_advice<cuda, Bindings> {
  using graph_traits = detail::graph_traits<Graph>;
  using traits = detail::spmm_program<Program>;
  using leaves = typename traits::leaves;
  using table = typename detail::operand_table<leaves, Bindings>::type;
  using T = std::remove_const_t<typename detail::view_bound_to<typename traits::features, Bindings>::value_type>;
  using product = detail::vendor_product<T>;

public:
  using saved_type = detail::vendor_saved;
  using detail::call_advice<cuda, Bindings>::forward;
  using detail::call_advice<cuda, Bindings>::backward;

  vendor_plan(cuda const& exec, Graph const& graph, Bindings const& in, spmm_algorithm algorithm)
      : mark_(detail::place_plan(exec)),
        graph_(checked(graph)),
        extents_(detail::check_operands<leaves>(in, graph_traits::counts(graph))) {
    detail::making_call<cuda> call(mark_, exec, "plan");
    detail::check_graph_arrays(call, graph_);
    detail::check_operand_arrays(call, leaves{}, in);
    if constexpr (graph_traits::has_source) {
      detail::require_same_edges(
          exec, graph_,
          traits::is_weighted ? detail::edge_identity::endpoints_and_id : detail::edge_identity::endpoints);
    }
    memory_resource* const memory = detail::engine<cuda>::memory(exec);
    auto const destination_offsets = traits::is_mean ? graph_traits::by_destination(graph_).offsets : nullptr;
    auto const make = [&](auto const& grouping, bool rows_are_destinations) {
      return product(exec.stream, memory, library_, grouping, columns(), weights_of(in), destination_offsets,
                     rows_are_destinations, algorithm);
    };
    by_destination_ = make(graph_traits::by_destination(graph_), true);
    if constexpr (graph_traits::has_source) by_source_ = make(graph_traits::by_source(graph_), false);
  }

  /// Bytes of workspace and values.
  std::size_t workspace_bytes() const { return by_destination_.size_bytes() + by_source_.size_bytes(); }
  saved_type make_saved(cuda const& exec) const {
    detail::plan_call<cuda> const call(mark_, exec, "make_saved");
    return saved_type(mark_);
  }
  std::string explain() const {
    auto const counts = graph_traits::counts(graph_);
    std::string result =
        detail::joined("graph: ", counts.destinations, " destinations, ", counts.sources, " sources, ", counts.edges,
                       " edges\nrows: ", extents_.heads, " heads x ", extents_.lanes,
                       " lanes\nforward: ", library_.version(), ", ", by_destination_.description(), "\n");
    if constexpr (graph_traits::has_source) {
      result += "backward: " + by_source_.description() + ", with the grouping by source as transpose\n";
    }
    return result + detail::joined("workspace: ", workspace_bytes(), " bytes\n");
  }
  /// As of other plans, for the gradient of the features; what the vendor's algorithm moves besides is not counted.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    using lowered = std::remove_cvref_t<decltype(detail::lower_program(std::declval<Program const&>()))>;
    using request = detail::assumed_request<detail::whole_leaf<typename traits::features>, T>;
    detail::program_cost<Graph, lowered, Bindings> const cost{graph_, extents_};
    return explain() + detail::explain_bounds(cost.template forward<T>(true),
                                              cost.template backward<T>(type_list<request>{}), machine, measured);
  }

  /// As of other plans. The output has the type of the features.
  template <class OutView>
  void forward(cuda const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  template <class OutView>
  void forward(cuda const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// The gradient of the features, overwritten with `grad`, added to with `accumulate`.
  template <class GradView, class Target, class View, bool Accumulate>
  void backward(cuda const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient,
                gradient_request<Target, View, Accumulate> const& request) const {
    static_assert(detail::targets_leaf<Target, typename traits::features>,
                  "vendor_spmm: gives the gradient of the features alone; that of weights is a fused program, "
                  "scatter(dot(dst<g>, src<h>))");
    static_assert(
        graph_traits::has_source,
        "backward: the gradient of a source operand needs the edges grouped by source; build the graph with both "
        "groupings, graph{csr, csc}");
    static_assert(detail::require_output_gradient<GradView, operand_kind::wide, T>::ok);
    static_assert(std::is_same_v<std::remove_const_t<typename GradView::value_type>, T> &&
                      std::is_same_v<typename View::value_type, T>,
                  "vendor_spmm: gradients have the type of the features");
    detail::plan_call<cuda> call(mark_, exec, "backward");
    detail::check_extents<leaves>(in, extents_, graph_traits::counts(graph_));
    detail::check_output(gradient.view, extents_, graph_traits::counts(graph_).destinations, "grad_out");
    detail::check_gradients<leaves>(gradient.view, in, request);
    saved.check_filled(mark_);
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, gradient.view, "grad_out");
    detail::check_gradient_arrays(call, leaves{}, request);
    if constexpr (graph_traits::has_source) {
      by_source_.run(exec.stream, library_, graph_traits::by_source(graph_), weights_of(in), gradient.view.data,
                     gradient.view.row_stride, request.view.data, request.view.row_stride, Accumulate);
    }
  }

private:
  static Graph const& checked(Graph const& graph) {
    detail::require_same_counts(graph);
    return graph;
  }
  std::int64_t columns() const { return std::int64_t{extents_.heads} * extents_.lanes; }

  static detail::spmm_weights<T> weights_of(Bindings const& in) {
    if constexpr (traits::is_weighted) {
      auto const& view = detail::view_for<typename traits::weights>(in);
      return {view.data, view.row_stride};
    } else {
      return {};
    }
  }

  template <class OutView>
  void run_forward(cuda const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, operand_kind::wide, T>::ok);
    static_assert(std::is_same_v<typename OutView::value_type, T>,
                  "vendor_spmm: the output has the type of the features");
    detail::plan_call<cuda> call(mark_, exec, "forward");
    detail::check_extents<leaves>(in, extents_, graph_traits::counts(graph_));
    detail::check_output(result.view, extents_, graph_traits::counts(graph_).destinations, "out");
    detail::check_not_operand<leaves, detail::writes::at_once>(result.view, in);
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, result.view, "out");
    if (saved) saved->fill(mark_);
    auto const& features = detail::view_for<typename traits::features>(in);
    by_destination_.run(exec.stream, library_, graph_traits::by_destination(graph_), weights_of(in), features.data,
                        features.row_stride, result.view.data, result.view.row_stride, false);
  }

  detail::shared_place<cuda> mark_;
  Graph graph_;
  detail::row_extents extents_;
  detail::vendor_library library_;
  product by_destination_;
  product by_source_;
};

/// Plans gather<sum> or gather<mean> of src<h> or edge<w> * src<h> for cuSPARSE; symmetric normalisation is a matter of
/// the weights (format/normalize.hpp). Another program is refused by a sentence. `measured` times the library's CSR
/// algorithms for each grouping while the plan is made, with two scratch tables from the memory resource; it waits for
/// the stream. Throws as `fused_kernel::plan` does, and `vendor_error`.
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
    return vendor_plan<graph<Formats...>, E, bindings_type>(exec, g, in, algorithm);
  }
}

}  // namespace edgewise
