// The recipe of gathers over edges that are not grouped: every edge is computed alone and scattered.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/explain/coo_explain.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/pass/coo_store_pass.hpp>
#include <edgewise/plan/attention_weights.hpp>
#include <edgewise/plan/coo_gradients.hpp>
#include <edgewise/plan/coo_program.hpp>
#include <edgewise/plan/coo_softmax.hpp>
#include <edgewise/plan/coo_staging.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// Where a forward pass keeps fields, as `saved_state::fill` takes it.
template <class Aggregation, class T, class Offset>
struct coo_kept {
  pack<saved_pointers<Aggregation, T, Offset>> saved;
};

/// A program over `graph{coo}`: gather<sum>, gather<max> or gather<min> of a message, scattered edge by edge; a
/// softmax in the message of a sum takes three traversals (largest score, sum of weights, normalised and weighted sum).
/// An output, or a gradient of an endpoint's operand, that is stored in 16 bits is summed in the plan's memory and
/// rounded once, where an operand, or that operand, is stored in 16 bits. Determinism: on the CPU always the same bits.
/// On a GPU sums of floats, those of gradients too, are added in the order in which edges happen to arrive: they differ
/// in rounding from run to run. Extrema are the same bits always: as if folded over edges by position in the coo's
/// arrays. Ties go to the earlier position, -0 equals +0, a NaN wins and comes out as the canonical NaN. Parameter
/// gradients of one filled `saved` are the same bits always. Source: fuseGNN (Chen et al., ICCAD 2020), section 4, the
/// gather-apply-scatter half.
template <class Exec, class Index, class Offset, class Program, class Bindings, class Extents = any_extents>
class coo_gather : public recipe_base<Exec, graph<coo_view<Index, Offset>>, Bindings> {
  using coo_type = coo_view<Index, Offset>;
  using base = recipe_base<Exec, graph<coo_type>, Bindings>;
  using base::capacity_;
  using base::extents_;
  using base::graph_;

public:
  using base::counts;
  using leaves = typename Program::leaves;
  using accumulator = typename table_accumulator<typename operand_table<leaves, Bindings>::type>::type;
  static_assert(require_plain_numbers<accumulator>::ok);

private:
  using engine = detail::engine<Exec>;
  using scatter = coo_engine<Exec>;
  using table = typename operand_table<leaves, Bindings>::type;
  using traits = program_traits<Program, table, Offset, accumulator>;
  using aggregation = only_aggregation<Program>;
  using forward_pass_type = coo_forward_pass<Program, table, accumulator, accumulator>;
  static_assert(require_scatter<Program, accumulator>::ok);
  static constexpr scatter_form form = aggregation_scatter_form<aggregation>;
  static constexpr bool is_extremum = is_extremum_form(form);
  static constexpr bool is_softmax = form == scatter_form::softmax;
  using softmax_steps = coo_softmax<Exec, Program, table, traits, softmax_step::total>;
  using staging_type = coo_staging<Exec, Program, table, accumulator>;
  /// The traits of a program whose output is stored as Out.
  template <class Out>
  using stored_traits = program_traits<Program, table, Offset, accumulator, Out>;

public:
  using saved_type = saved_state<traits, typename Exec::space>;
  static constexpr operand_kind out_kind = traits::out_kind;

  coo_gather(graph<coo_type> const& g, Program const& program, Bindings const& in, sizing size)
      : base(g, check_static_extents<Extents>(check_operands<leaves>(in, counts_of(g))), size), program_(program) {
    if (is_extremum && counts().edges > most_scattered_edges) {
      throw invalid_argument(text("plan: the graph has ", counts().edges,
                                  " edges, max and min over graph{coo} take at most ", most_scattered_edges,
                                  "; convert with to_csr"));
    }
    operand_pointers<table> pointers{};
    check_forward_width(fill_operands<table>(pointers, in));
  }
  template <class... How>
  void make(Exec const& exec, Bindings const&, How const&...) {
    if constexpr (is_softmax) {
      scratch_ = scratch<char, typename Exec::space>(
          exec, softmax_steps::scratch_bytes(counts(), extents_) + prepared_elements() * sizeof(accumulator));
    }
    if (is_extremum) words_ = scratch<extremum_word, typename Exec::space>(exec, num_outputs());
    staging_ = staging_type(exec, counts(), extents_, is_extremum ? 0 : num_outputs());
    auto const parameter_bytes =
        static_cast<std::size_t>(sums_bytes<accumulator>(bound_in_role<role::parameter, table>{}, extents_));
    partials_ =
        scratch<char, typename Exec::space>(exec, parameter_bytes * static_cast<std::size_t>(scatter::num_partials));
  }

  void rebuild(Exec const&, graph<coo_type> const& g) { this->take(g); }
  std::size_t workspace_bytes() const {
    return words_.size_bytes() + scratch_.size_bytes() + staging_.size_bytes() + partials_.size_bytes();
  }

  saved_type saved(Exec const& exec, shared_mark const& mark) const {
    saved_type made(mark, capacity_, extents_, engine::memory(exec), stream_of(exec));
    if constexpr (is_softmax) made.clear(exec);  // groups of edges read row 0 for an edge that they have not
    return made;
  }
  std::string explain() const {
    return explain_coo<table, traits>(program_, counts(), extents_, edge_balanced::name, form, workspace_bytes());
  }
  template <class F>
  auto with_cost(F const& f) const {
    auto const saved_bytes = static_cast<double>(coo_saved_bytes<traits>(extents_));
    return f(coo_cost<coo_type, Program, Bindings, traits>{coo(), extents_, saved_bytes});
  }

  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    operand_pointers<table> pointers{};
    int chunk = fill_operands<table>(pointers, in);
    coo_kept<aggregation, accumulator, Offset> kept{};
    auto const fill_saved = [&] {
      if (saved) saved->fill(kept, view);
    };
    if constexpr (is_extremum) {
      check_forward_width(chunk);
      fill_saved();
      run_extremum(exec, pointers, view, get<0>(get<0>(kept.saved).data), chunk);
    } else {
      auto const sums = staging_.stage_output(view);
      chunk = smaller(chunk, chunk_of(sums));
      check_forward_width(chunk);
      fill_saved();
      if constexpr (is_softmax) {
        softmax_steps::forward(exec, program_, in, sums, get<0>(get<0>(kept.saved).data), coo(), extents_, chunk,
                               scratch_.data(), workspace());
      } else {
        run_sum(exec, pointers, sums, chunk);
      }
      staging_type::store(exec, sums, view);
    }
  }

  template <class Storage>
  using attention = detail::attention_weights<Program, table, Offset, accumulator, Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    using storage = typename View::value_type;
    using weights_of = attention<storage>;
    using pass_type =
        coo_store_pass<typename weights_of::program_type, typename weights_of::table, accumulator, storage>;
    pass_type pass{};
    int const chunk = weights_of::fill(pass, program_, in, saved, weights);
    auto const extents = score_extents<weights_of::kind, typename weights_of::score_table>(extents_);
    scatter::template check_width<pass_type>(extents, chunk);
    scatter::run(exec, pass, coo(), extents, chunk, workspace());
  }

  template <class GradView, class... Request>
  using require_gradients =
      detail::require_gradients<typename coo_gradients<Program, table, Request...>::plan_type, true>;
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    staging_.template form_gradients<coo_gradients<Program, table, Request...>>(
        exec, [&](auto const&... staged) { form_gradients(exec, in, saved, adjoint, staged...); }, requests...);
  }

private:
  coo_type const& coo() const { return graph_.first; }

  /// The traversal. Requests: of tensors that edges add to.
  template <class GradView, class... Request>
  void form_gradients(Exec const& exec, Bindings const& in, saved_type const& saved,
                      output_gradient<GradView> const& gradient, Request const&... requests) const {
    using gradients = coo_gradients<Program, table, Request...>;
    using targets = typename gradients::targets;
    using element = std::remove_const_t<typename GradView::value_type>;
    using stored = stored_traits<element>;
    using backward_table = concat_types<table, typename stored::field_table>;
    using pass_type = coo_backward_pass<Program, backward_table, targets, Offset, accumulator>;
    pass_type pass{};
    pass.program = program_;
    int chunk = fill_operands<table>(pass.operands, in);
    // Sums and extrema prepare nothing per vertex: edges read the output's adjoint and the arguments as they are. A
    // softmax has its inner term made below.
    auto const fields =
        stored::fields(saved, gradient.view, prepared(), static_cast<std::size_t>(counts().destinations), extents_);
    chunk = smaller(chunk, stored::fill_fields(pass.operands, fields));
    chunk = smaller(chunk, gradients::fill(pass.gradients, requests...));
    scatter::template check_width<pass_type>(extents_, chunk);
    (clear_for<gradients>(exec, requests), ...);
    if constexpr (is_softmax) {
      softmax_steps::prepare(exec, static_cast<element const*>(saved.template result<0>()),
                             saved.template result_row_bytes<0>() / static_cast<std::int64_t>(sizeof(element)),
                             gradient.view.data, gradient.view.row_stride, prepared(), counts(), extents_);
    }
    scatter::run(exec, pass, coo(), extents_, chunk, workspace());
  }

  std::size_t num_outputs() const {
    return static_cast<std::size_t>(size_of_array(counts().destinations, elements_of_kind(traits::out_kind, extents_)));
  }
  std::size_t prepared_elements() const {
    return traits::prepared_elements(static_cast<std::size_t>(counts().destinations), extents_);
  }
  /// Where the backward pass of a softmax leaves its inner term: behind what its steps leave.
  accumulator* prepared() const {
    if constexpr (is_softmax) {
      return reinterpret_cast<accumulator*>(scratch_.data() + softmax_steps::scratch_bytes(capacity_, extents_));
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
  workspace_view workspace() const { return {nullptr, nullptr, partials_.data()}; }

  template <class Gradients, class Request>
  void clear_for(Exec const& exec, Request const& request) const {
    if constexpr (Gradients::template clears<Request>) scatter::clear_rows(exec, request.view);
  }

  template <class View>
  void run_sum(Exec const& exec, operand_pointers<table> const& pointers, View const& sums, int chunk) const {
    forward_pass_type pass{};
    pass.program = program_;
    pass.operands = pointers;
    pass.out = sums.data;
    pass.out_row_stride = sums.row_stride;
    scatter::clear_rows(exec, sums);
    scatter::run(exec, pass, coo(), extents_, chunk, workspace());
  }
  /// One traversal, after which extrema are read off their words.
  template <class View>
  void run_extremum(Exec const& exec, operand_pointers<table> const& pointers, View const& values, Offset* arguments,
                    int chunk) const {
    forward_pass_type pass{};
    pass.program = program_;
    pass.operands = pointers;
    pass.words = words_.data();
    if (words_.size() > 0) engine::clear(exec, pass.words, num_outputs() * sizeof(extremum_word));
    scatter::run(exec, pass, coo(), extents_, chunk, workspace());
    finish_extrema<form, Offset, typename View::value_type> const finish{
        pass.words,       coo().edge_ids, values.data, arguments, elements_of_kind(traits::out_kind, extents_),
        values.row_stride};
    scatter::for_each_element(exec, finish, static_cast<std::int64_t>(num_outputs()));
  }

  Program program_;
  scratch<extremum_word, typename Exec::space> words_;
  scratch<char, typename Exec::space> scratch_;  ///< of a softmax
  staging_type staging_;
  scratch<char, typename Exec::space> partials_;
};

}  // namespace edgewise::inline v0::detail
