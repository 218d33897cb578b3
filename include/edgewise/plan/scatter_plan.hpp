// Plans over edges that are not grouped: every edge is computed alone and scattered.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/scatter_concept.hpp>
#include <edgewise/explain/scatter_explain.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/pass/coo_store_pass.hpp>
#include <edgewise/plan/attention_weights.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/plan/scatter_gradients.hpp>
#include <edgewise/plan/scatter_program.hpp>
#include <edgewise/plan/scatter_softmax.hpp>
#include <edgewise/plan/scatter_staging.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise {

namespace detail {

/// Where a forward pass keeps fields, as `saved_state::fill` takes it.
template <class Unit, class T, class Offset>
struct scatter_kept {
  pack<saved_pointers<Unit, T, Offset>> saved;
};

}  // namespace detail

/// A program planned for `graph{coo}`: gather<sum>, gather<max> or gather<min> of a message, scattered edge by edge; a
/// softmax in the message of a sum takes three traversals (largest score, sum of weights, normalised and weighted sum).
/// The same interface as other plans. An output, or a gradient of an endpoint's operand, that is stored in 16 bits is
/// summed in the plan's memory and rounded once, where an operand, or that operand, is stored in 16 bits. `forward` and
/// `backward` are asynchronous on the stream that they are given, allocate nothing and may be captured; one plan must
/// not run on two streams at once. Determinism: on the CPU always the same bits. On a GPU sums of floats, those of
/// gradients too, are added in the order in which edges happen to arrive: they differ in rounding from run to run.
/// Extrema are the same bits always: as if folded over edges by position in the coo's arrays. Ties go to the earlier
/// position, -0 equals +0, a NaN wins and comes out as the canonical NaN. Parameter gradients of
/// one filled `saved` are the same bits always.
/// Source: fuseGNN (Chen et al., ICCAD 2020), section 4, the gather-apply-scatter half.
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents>
class plan<Exec, graph<coo_view<Index, Offset>>, edge_balanced, Program, Bindings, Extents>
    : detail::call_advice<Exec, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using graph_type = graph<coo_type>;
  using engine = detail::engine<Exec>;
  using scatter = detail::scatter_engine<Exec>;
  using leaves = typename Program::leaves;
  using table = typename detail::operand_table<leaves, Bindings>::type;
  using accumulator = typename detail::table_accumulator<table>::type;
  using traits = detail::program_traits<Program, table, Offset, accumulator>;
  using unit = detail::only_unit<Program>;
  using forward_pass_type = detail::scatter_forward_pass<Program, table, accumulator, accumulator>;
  static_assert(detail::require_scatter<Program, accumulator>::ok);
  static constexpr scatter_form form = detail::unit_scatter_form<unit>;
  static constexpr bool is_extremum = detail::is_extremum_form(form);
  static constexpr bool is_softmax = form == scatter_form::softmax;
  using softmax_steps = detail::scatter_softmax<Exec, Program, table, traits, detail::softmax_step::total>;
  using staging_type = detail::scatter_staging<Exec, Program, table, accumulator>;
  /// With an output stored as Out.
  template <class Out>
  using stored_traits = detail::program_traits<Program, table, Offset, accumulator, Out>;

public:
  using saved_type = detail::saved_state<traits, typename Exec::space>;
  using detail::call_advice<Exec, Bindings>::forward;
  using detail::call_advice<Exec, Bindings>::backward;

  plan(Exec const& exec, graph_type const& g, edge_balanced const&, Program const& program, Bindings const& in,
       detail::sizing size)
      : mark_(detail::place_plan(exec)),
        coo_(g.first),
        program_(program),
        extents_(detail::check_static_extents<Extents>(detail::check_operands<leaves>(in, counts()))),
        capacity_(counts()),
        size_(size) {
    if (is_extremum && counts().edges > detail::most_scattered_edges) {
      throw invalid_argument(detail::text("plan: the graph has ", counts().edges,
                                          " edges, max and min over graph{coo} take at most ",
                                          detail::most_scattered_edges, "; convert with to_csr"));
    }
    {
      operand_pointers<table> pointers{};
      check_forward_width(detail::fill_operands<table>(pointers, in));
    }
    detail::making_call<Exec> call(mark_, exec, "plan");
    check_arrays(call, g, in);
    if constexpr (is_softmax) {
      scratch_ = buffer<char, typename Exec::space>(
          softmax_steps::scratch_bytes(counts(), extents_) + prepared_elements() * sizeof(accumulator),
          engine::memory(exec), detail::stream_of(exec));
    }
    if (is_extremum) {
      words_ = buffer<detail::extremum_word, typename Exec::space>(num_outputs(), engine::memory(exec),
                                                                   detail::stream_of(exec));
    }
    staging_ = staging_type(exec, counts(), extents_, is_extremum ? 0 : num_outputs());
    auto const parameter_bytes = static_cast<std::size_t>(
        detail::sums_bytes<accumulator>(detail::bound_in_role<role::parameter, table>{}, extents_));
    partials_ = buffer<char, typename Exec::space>(parameter_bytes * static_cast<std::size_t>(scatter::num_partials),
                                                   engine::memory(exec), detail::stream_of(exec));
  }

  /// Takes another graph of at most the sizes that `plan_for_capacity` was given. Throws `invalid_argument` otherwise.
  void rebuild(Exec const& exec, graph_type const& g) {
    detail::plan_call<Exec> call(mark_, exec, "rebuild");
    detail::check_capacity(graph_counts_of(g.first), capacity_, size_);
    detail::check_graph_arrays(call, g);
    ++mark_->num_rebuilds;
    coo_ = g.first;
    is_rebuilt_ = true;
  }

  /// Bytes of the plan's own scratch memory.
  std::size_t workspace_bytes() const {
    return words_.size_bytes() + scratch_.size_bytes() + staging_.size_bytes() + partials_.size_bytes();
  }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`.
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    saved_type saved(mark_, capacity_, extents_, engine::memory(exec), detail::stream_of(exec));
    if constexpr (is_softmax) saved.clear(exec);  // groups of edges read row 0 for an edge that they have not
    return saved;
  }

  /// What runs and what it costs, as text.
  std::string explain() const {
    return detail::explain_scatter<table, traits>(program_, counts(), extents_, edge_balanced::name, form,
                                                  workspace_bytes());
  }
  /// As of other plans; for the fewest bytes of each pass, whatever its atomics take besides.
  std::string explain(machine_ceilings const& machine, pass_times const& measured = {}) const {
    using cost = detail::coo_cost<coo_type, Program, Bindings, traits>;
    auto const saved_bytes = static_cast<double>(detail::scatter_saved_bytes<traits>(extents_));
    return explain() + detail::explain_bounds(cost{coo_, extents_, saved_bytes}, machine, measured);
  }

  /// out = the program's value. Nothing is kept. Shapes: those of `plan`, out [destinations, ...] of the value's kind.
  /// Throws `invalid_argument` where a shape differs from the plan's, `saved` is another plan's, or out is the array of
  /// an operand.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result, nullptr);
  }
  /// Also keeps in `saved` what `backward` needs.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result, &saved);
  }

  /// weights = softmax(score) of every edge, by edge id; as of a plan over grouped edges, one more traversal.
  template <class OutView>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved,
                         output<OutView> const& weights) const {
    using storage = typename OutView::value_type;
    using attention = detail::attention_weights<Program, table, Offset, accumulator, storage>;
    static_assert(detail::require_output<OutView, attention::kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "attention_weights");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(weights.view, extents_, counts().edges, "attention_weights", "edges");
    detail::check_not_operand<leaves, detail::writes::at_once>(weights.view, in);
    detail::check_rebuilt(is_rebuilt_, "attention_weights");
    saved.check_filled(mark_, "attention_weights");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, weights.view, "attention_weights");
    using score_table = typename attention::score_table;
    using pass_type =
        detail::coo_store_pass<typename attention::program_type, typename attention::table, accumulator, storage>;
    pass_type pass{};
    int const chunk = attention::fill(pass, program_, in, saved, weights.view);
    auto const extents = detail::score_extents<attention::kind, score_table>(extents_);
    scatter::template check_width<pass_type>(extents, chunk);
    scatter::run(exec, pass, coo_, extents, chunk, workspace());
  }

  /// Gradients of the operands asked for, given the adjoint of the output: overwritten, or added to with `accumulate`.
  /// A tensor bound in several roles gets one gradient, rounded once where it is stored in 16 bits. Shapes: each
  /// gradient has its operand's shape. Throws `invalid_argument` where one differs or is no array of its own, where
  /// rows are too wide for a sum that a gradient needs, and where no forward of this plan filled `saved`.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = detail::scatter_gradients<Program, table, Request...>;
    static_assert(detail::require_gradients<typename gradients::plan_type, true>::ok);
    static_assert(detail::require_output_gradient<GradView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "backward");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(gradient.view, extents_, counts().destinations, "grad_out");
    detail::check_gradients<leaves>(gradient.view, in, requests...);
    detail::check_rebuilt(is_rebuilt_, "backward");
    saved.check_filled(mark_, "backward");
    saved.template check_output_type<typename GradView::value_type>("backward");
    saved.check_output_stays(requests...);
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, gradient.view, "grad_out");
    detail::check_gradient_arrays(call, leaves{}, requests...);
    [[maybe_unused]] std::size_t next = 0;
    [&](auto const&... staged) {
      form_gradients(exec, in, saved, gradient, staged...);
      (staging_type::store(exec, staged.view, requests.view, Request::accumulates), ...);
    }(staging_.template stage_gradient<gradients>(requests, next)...);
  }

private:
  /// What a plan is made of can be read; the graph's arrays where it is made for them.
  template <class Call>
  void check_arrays(Call& call, graph_type const& g, Bindings const& in) const {
    if (size_ == detail::sizing::exact) detail::check_graph_arrays(call, g);
    detail::check_operand_arrays(call, leaves{}, in);
  }

  /// The traversal. Requests: of tensors that edges add to.
  template <class GradView, class... Request>
  void form_gradients(Exec const& exec, Bindings const& in, saved_type const& saved,
                      output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = detail::scatter_gradients<Program, table, Request...>;
    using targets = typename gradients::targets;
    using element = std::remove_const_t<typename GradView::value_type>;
    using stored = stored_traits<element>;
    using backward_table = concat_types<table, typename stored::field_table>;
    using pass_type = detail::scatter_backward_pass<Program, backward_table, targets, Offset, accumulator>;
    pass_type pass{};
    pass.program = program_;
    int chunk = detail::fill_operands<table>(pass.operands, in);
    // Sums and extrema prepare nothing per vertex: edges read the output's adjoint and the arguments as they are. A
    // softmax has its inner term made below.
    auto const fields =
        stored::fields(saved, gradient.view, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
    chunk = detail::smaller(chunk, stored::fill_fields(pass.operands, fields));
    chunk = detail::smaller(chunk, gradients::fill(pass.gradients, requests...));
    scatter::template check_width<pass_type>(extents_, chunk);
    (clear_for<gradients>(exec, requests), ...);
    if constexpr (is_softmax) {
      softmax_steps::prepare(exec, static_cast<element const*>(saved.template result<0>()),
                             saved.template result_row_bytes<0>() / static_cast<std::int64_t>(sizeof(element)),
                             gradient.view.data, gradient.view.row_stride, prepared(), counts(), extents_);
    }
    scatter::run(exec, pass, coo_, extents_, chunk, workspace());
  }

  static detail::graph_counts graph_counts_of(coo_type const& coo) {
    return {coo.num_destinations(), coo.num_sources(), static_cast<std::int64_t>(coo.num_edges)};
  }
  detail::graph_counts counts() const { return graph_counts_of(coo_); }
  std::size_t num_outputs() const {
    return static_cast<std::size_t>(
        detail::size_of_array(counts().destinations, detail::elements_of_kind(traits::out_kind, extents_)));
  }
  std::size_t prepared_elements() const {
    return traits::prepared_elements(static_cast<std::size_t>(counts().destinations), extents_);
  }
  /// Where the backward pass of a softmax leaves its inner term: behind what its steps leave.
  accumulator* prepared() const {
    if constexpr (is_softmax) {
      return reinterpret_cast<accumulator*>(const_cast<char*>(scratch_.data()) +
                                            softmax_steps::scratch_bytes(capacity_, extents_));
    } else {
      return nullptr;
    }
  }
  void check_forward_width(int chunk) const {
    if constexpr (is_softmax) {
      softmax_steps::check_width(extents_, chunk);
    } else {
      scatter::template check_width<forward_pass_type>(extents_, chunk);
    }
  }
  detail::workspace_view workspace() const { return {nullptr, nullptr, const_cast<char*>(partials_.data())}; }

  template <class Gradients, class Request>
  void clear_for(Exec const& exec, Request const& request) const {
    if constexpr (Gradients::template clears<Request>) scatter::clear_rows(exec, request.view);
  }

  template <class OutView>
  void run_forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type* saved) const {
    static_assert(detail::require_output<OutView, traits::out_kind, accumulator>::ok);
    detail::plan_call<Exec> call(mark_, exec, "forward");
    detail::check_extents<leaves>(in, extents_, counts());
    detail::check_output(result.view, extents_, counts().destinations, "out");
    detail::check_not_operand<leaves, detail::writes::at_once>(result.view, in);
    detail::check_rebuilt(is_rebuilt_, "forward");
    if (saved) saved->check_maker(mark_, "forward");
    detail::check_operand_arrays(call, leaves{}, in);
    detail::check_view_array(call, result.view, "out");
    operand_pointers<table> pointers{};
    int chunk = detail::fill_operands<table>(pointers, in);
    detail::scatter_kept<unit, accumulator, Offset> kept{};
    auto const fill_saved = [&] {
      if (saved) saved->fill(kept, result.view);
    };
    if constexpr (is_extremum) {
      check_forward_width(chunk);
      fill_saved();
      run_extremum(exec, pointers, result.view, get<0>(get<0>(kept.saved).data), chunk);
    } else {
      auto const sums = staging_.stage_output(result.view);
      chunk = detail::smaller(chunk, detail::chunk_of(sums));
      check_forward_width(chunk);
      fill_saved();
      if constexpr (is_softmax) {
        softmax_steps::forward(exec, program_, in, sums, get<0>(get<0>(kept.saved).data), coo_, extents_, chunk,
                               const_cast<char*>(scratch_.data()), workspace());
      } else {
        run_sum(exec, pointers, sums, chunk);
      }
      staging_type::store(exec, sums, result.view);
    }
    if (saved) saved->keep();
  }

  template <class View>
  void run_sum(Exec const& exec, operand_pointers<table> const& pointers, View const& sums, int chunk) const {
    forward_pass_type pass{};
    pass.program = program_;
    pass.operands = pointers;
    pass.out = sums.data;
    pass.out_row_stride = sums.row_stride;
    scatter::clear_rows(exec, sums);
    scatter::run(exec, pass, coo_, extents_, chunk, workspace());
  }
  /// One traversal, after which extrema are read off their words.
  template <class View>
  void run_extremum(Exec const& exec, operand_pointers<table> const& pointers, View const& values, Offset* arguments,
                    int chunk) const {
    forward_pass_type pass{};
    pass.program = program_;
    pass.operands = pointers;
    pass.words = const_cast<detail::extremum_word*>(words_.data());
    if (words_.size() > 0) engine::clear(exec, pass.words, num_outputs() * sizeof(detail::extremum_word));
    scatter::run(exec, pass, coo_, extents_, chunk, workspace());
    detail::finish_extrema<form, Offset, typename View::value_type> const finish{
        pass.words,       coo_.edge_ids, values.data, arguments, detail::elements_of_kind(traits::out_kind, extents_),
        values.row_stride};
    scatter::for_each_element(exec, finish, static_cast<std::int64_t>(num_outputs()));
  }

  detail::shared_place<Exec> mark_;
  coo_type coo_;
  Program program_;
  detail::row_extents extents_;
  detail::graph_counts capacity_;
  detail::sizing size_;
  bool is_rebuilt_ = size_ == detail::sizing::exact;
  buffer<detail::extremum_word, typename Exec::space> words_;
  buffer<char, typename Exec::space> scratch_;  ///< of a softmax
  staging_type staging_;
  buffer<char, typename Exec::space> partials_;
};

}  // namespace edgewise
