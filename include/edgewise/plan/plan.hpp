// Plans: a program on a graph with operands of known kinds and shapes, ready to run forward and backward.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <edgewise/cost/cost_json.hpp>
#include <edgewise/cost/cost_text.hpp>
#include <edgewise/plan/attention_weights.hpp>
#include <edgewise/plan/call_advice.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/cost_queries.hpp>
#include <edgewise/plan/plan_mark.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_checks.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0 {

/// A program planned for one graph, one execution resource and operands of given kinds and shapes. What runs is the
/// recipe's matter (plan/recipe/): a gather or a value of every edge, over rows or over edges that are not grouped.
/// Owns its schedules and workspace, which may go while a pass runs, before or after its streams (core/resources.hpp).
/// On a device the calls run where the plan was made, whichever device is current, and throw `invalid_argument` for
/// streams and arrays of another, and for memory of the host. `forward`, `backward` and `rebuild` are asynchronous on
/// the stream that they are given, allocate nothing on a device and may be captured; one plan must not run on two
/// streams at once, nor may two threads call it at once (which throws). A call that throws `invalid_argument` has
/// written nothing; one from which an exception of a user's function comes has written some of its results.
/// Determinism: on grouped edges the same inputs give the same bits, whatever the stream, the repetition or the number
/// of threads, unless an option says otherwise (program/sums.hpp); over graph{coo} see the recipe.
template <class Recipe>
class plan : public detail::call_advice<typename Recipe::exec_type, typename Recipe::bindings_type>,
             public detail::cost_queries<plan<Recipe>> {
  using Exec = typename Recipe::exec_type;
  using Bindings = typename Recipe::bindings_type;
  using Graph = typename Recipe::graph_type;
  using leaves = typename Recipe::leaves;
  using accumulator = typename Recipe::accumulator;
  using advice = detail::call_advice<Exec, Bindings>;

public:
  using recipe_type = Recipe;
  using saved_type = typename Recipe::saved_type;
  using policy_type = typename Recipe::policy_type;
  using advice::backward;
  using advice::forward;

  /// Made by `fused_kernel::plan`. How: what the recipe makes its schedules by.
  template <class... How>
  plan(Exec const& exec, Recipe recipe, Bindings const& in, How const&... how)
      : mark_(detail::place_plan(exec)), recipe_(std::move(recipe)) {
    detail::making_call<Exec> call(mark_, exec, "plan");
    if (recipe_.is_rebuilt()) detail::check_graph_arrays(call, recipe_.graph());
    detail::check_operand_arrays(call, leaves{}, in);
    recipe_.make(exec, in, how...);
  }

  /// Makes a plan from `plan_for_capacity` one for this graph: other arrays, or other contents of the same ones, of at
  /// most the sizes that it was made for. Asynchronous on the stream of `exec`: launches of the same sizes whatever the
  /// graph, which may be captured together with the conversion before and the passes after. Throws `invalid_argument`
  /// where the graph is larger or the plan was made for one graph.
  void rebuild(Exec const& exec, Graph const& graph) {
    if constexpr (requires { Recipe::refuse_rebuild(); }) {
      Recipe::refuse_rebuild();
    } else {
      Recipe::check_graph(graph);
      detail::plan_call<Exec> call(mark_, exec, "rebuild");
      recipe_.check_room(graph);
      detail::check_graph_arrays(call, graph);
      ++mark_->num_rebuilds;
      recipe_.rebuild(exec, graph);
    }
  }

  /// Copies operands that are bound as `constant_rows` again, from the arrays that `in` binds now. Asynchronous on the
  /// stream of `exec`, may be captured. Throws `invalid_argument` where a shape differs from the plan's.
  void update_constants(Exec const& exec, Bindings const& in) {
    detail::plan_call<Exec> call(mark_, exec, "update_constants");
    check_shapes(in);
    detail::check_operand_arrays(call, leaves{}, in);
    if constexpr (requires { recipe_.update_constants(exec, in); }) recipe_.update_constants(exec, in);
  }

  /// How rows are split: by the mapping, or as the plan was told.
  decltype(auto) policy() const { return (recipe_.policy()); }

  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const { return recipe_.workspace_bytes(); }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`.
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    return recipe_.saved(exec, mark_);
  }

  /// What runs and what it costs, as text.
  std::string explain() const { return recipe_.explain(); }
  /// Also says how long each launch of a pass takes at least on a machine with these ceilings: with `saved`, for all
  /// gradients; over graph{coo} for the fewest bytes of each pass, whatever its atomics take besides. Given measured
  /// times of such passes, how near they come. Throws `invalid_argument` where the copy bandwidth is not positive.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    return explain() +
           recipe_.with_cost([&](auto const& cost) { return detail::explain_bounds(cost, machine, measured); });
  }

  /// The same as JSON: "explain", the lines of `explain()`; "policy", where the plan has one; "workspace_bytes";
  /// "forward" and "backward", a list of launches with the numbers of `traversal_cost`, for an output of the operands'
  /// type and all gradients.
  std::string explain_json() const {
    std::string policy;
    if constexpr (requires { to_string(recipe_.policy()); }) policy = to_string(recipe_.policy());
    return recipe_.with_cost(
        [&](auto const& cost) { return detail::explain_json(explain(), policy, workspace_bytes(), cost); });
  }

  /// out = the program's value. Nothing is kept. Shapes: those of `plan`, out [destinations, ...] of the value's kind
  /// (of several values: expression/concat.hpp), or of a program of edges [edges, ...], row e of the edge whose id is
  /// e. Operands, outputs and gradients of float, bfloat16 and float16 mix; sums are kept in float, and a stored
  /// element is rounded once. Throws `invalid_argument` where a shape differs from the plan's, `saved` is another
  /// plan's, or out shares memory with an operand that other rows read, or any row where out has several parts or is of
  /// edges.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  /// Also keeps in `saved` what `backward` needs; `saved` refers to `result`, which must stay as it is until then.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// weights = softmax(score) of every edge, by edge id, of a program with one `gather<sum>(softmax(score) * value)`,
  /// from the normalizers in `saved`: one more traversal. `in`: as it was for `forward`. Shapes: weights [edges, ...]
  /// of the score's kind, mostly per_head. They are the weights before dropout; rows of edges whose destination has a
  /// virtual self edge sum to 1 less that edge's weight, which has no row. Asynchronous, allocates nothing. Throws
  /// `invalid_argument` where a shape differs, where weights share memory with an operand, and where no forward of this
  /// plan filled `saved`.
  template <class OutView>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved,
                         output<OutView> const& weights) const {
    using attention = typename Recipe::template attention<typename OutView::value_type>;
    static_assert(detail::require_output<OutView, attention::kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "attention_weights");
    detail::check_rebuilt(recipe_.is_rebuilt(), "attention_weights");
    check_shapes(in);
    detail::check_output(weights.view, recipe_.extents(), recipe_.counts().edges, "attention_weights", "edges");
    detail::check_not_operand<leaves, detail::writes::at_once>(weights.view, in);
    saved.check_filled(mark_, "attention_weights");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, weights.view, "attention_weights");
    recipe_.attention_weights(exec, in, saved, weights.view);
  }

  /// Gradients of the operands asked for, given the adjoint of the output: overwritten, or added to with `accumulate`.
  /// A tensor bound in several roles gets one gradient, summed in a fixed order: epilogue, destination side, source
  /// side; over graph{coo} rounded once where it is stored in 16 bits. Shapes: each gradient has its operand's shape.
  /// Throws `invalid_argument` where one differs or is no array of its own, where rows are too wide for a sum that a
  /// gradient needs, and where no forward of this plan filled `saved`. A program whose backward reads its output again,
  /// as that of a softmax does, also throws where the output was not stored as `gradient` is.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    static_assert(Recipe::template require_gradients<GradView, Request...>::ok);
    static_assert(detail::require_output_gradient<GradView, Recipe::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "backward");
    detail::check_rebuilt(recipe_.is_rebuilt(), "backward");
    check_shapes(in);
    output_gradient<GradView> const adjoint{recipe_.with_parts(gradient.view)};
    check_output(adjoint.view, "grad_out");
    detail::check_gradients<leaves>(adjoint.view, in, requests...);
    saved.check_filled(mark_, "backward");
    saved.template check_output_type<typename GradView::value_type>("backward");
    saved.check_output_stays(requests...);
    check_constants(in, "backward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, gradient.view, "grad_out");
    detail::check_gradient_arrays(call, leaves{}, requests...);
    recipe_.backward(exec, in, saved, adjoint, requests...);
  }

  /// Bytes that this rank sends to others in a forward and in a backward pass. Only plans over distributed graphs have
  /// this.
  auto sent() const { return recipe_.sent(); }

  /// Were the edges of graph{coo} grouped? Only plans of `automatic` have this.
  bool is_grouped() const { return recipe_.is_grouped(); }
  /// Bytes of the groupings that a plan of `automatic` made of graph{coo}.
  std::size_t groupings_bytes() const { return recipe_.groupings_bytes(); }

private:
  friend detail::cost_queries<plan>;
  Recipe const& recipe() const { return recipe_; }

  void check_shapes(Bindings const& in) const {
    if constexpr (requires { recipe_.check_shapes(in); }) {
      recipe_.check_shapes(in);
    } else {
      detail::check_extents<leaves>(in, recipe_.extents(), recipe_.counts());
    }
  }
  void check_constants(Bindings const& in, char const* call) const {
    if constexpr (requires { recipe_.check_constants(in, call); }) recipe_.check_constants(in, call);
  }
  template <class View>
  void check_output(View const& view, char const* name) const {
    detail::check_output(view, recipe_.out_extents(), recipe_.out_rows(), name, Recipe::out_rows_are,
                         Recipe::num_parts);
  }

  template <class OutView>
  void run_forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, Recipe::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "forward");
    detail::check_rebuilt(recipe_.is_rebuilt(), "forward");
    check_shapes(in);
    auto const view = recipe_.with_parts(result.view);
    check_output(view, "out");
    recipe_.check_out_apart(view, in);
    check_constants(in, "forward");
    if (saved) saved->check_maker(mark_, "forward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, result.view, "out");
    recipe_.forward(exec, in, view, saved);
    if (saved) saved->keep();
  }

  detail::shared_place<Exec> mark_;  // first of all: refuses where no plan can be made
  Recipe recipe_;
};

}  // namespace edgewise::inline v0
