// How a plan over ungrouped edges runs a softmax: largest scores, sums of weights, and weighed values, three launches.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/pass/coo_softmax_pass.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// The softmax half of a plan for `graph{coo}`, of Program with bound operands Table and the traits of either kind of
/// program. Last: what becomes of weighed values. Its scratch memory: a word and a sum for each destination and score.
template <class Exec, class Program, class Table, class Traits, softmax_step Last>
struct coo_softmax {
  using traits = Traits;
  using T = typename Traits::accumulator;
  using word = typename ordered_word<T>::type;
  using scatter = coo_engine<Exec>;
  static constexpr operand_kind score_kind = traits::template fields_of<0>::saved_kind;
  using bounds = softmax_bounds<score_kind, T>;
  template <softmax_step Step, class Out>
  using pass_of = coo_softmax_pass<Step, Program, Table, score_kind, T, Out>;

  static std::size_t num_scores(graph_counts counts, row_extents extents) {
    return static_cast<std::size_t>(size_of_array(counts.destinations, elements_of_kind(score_kind, extents)));
  }
  static std::size_t scratch_bytes(graph_counts counts, row_extents extents) {
    return 2 * padded_elements(num_scores(counts, extents), 1) * sizeof(T);
  }

  /// Throws `invalid_argument` where no group holds what a step has to sum over.
  static void check_width(row_extents extents, int chunk) {
    check_step<softmax_step::largest>(extents, chunk);
    check_step<Last>(extents, chunk);
  }

  /// out = softmax(score) * value, summed or not. `chunk`: the longest that rows of operands and the output allow.
  /// `normalizers` may be null.
  template <class Bindings, class Out, class Coo>
  static void forward(Exec const& exec, Program const& program, Bindings const& in, Out const& out,
                      softmax_normalizer<T>* normalizers, Coo const& coo, row_extents extents, int chunk, char* scratch,
                      workspace_view const& workspace) {
    graph_counts const counts{coo.num_destinations(), coo.num_sources(), static_cast<std::int64_t>(coo.num_edges)};
    if (counts.destinations > 0) engine<Exec>::clear(exec, scratch, scratch_bytes(counts, extents));
    if constexpr (Last == softmax_step::total) scatter::clear_rows(exec, out);
    auto const run_step = [&]<softmax_step Step>(std::integral_constant<softmax_step, Step>) {
      constexpr bool is_last = Step == Last;  // the others are the same however the output is stored
      pass_of<Step, std::conditional_t<is_last, typename Out::value_type, T>> pass{};
      pass.program = program;
      fill_operands<Table>(pass.operands, in);
      pass.largest = reinterpret_cast<word*>(scratch);
      pass.weight = reinterpret_cast<T*>(scratch) + padded_elements(num_scores(counts, extents), 1);
      auto const row_bytes =
          static_cast<std::int32_t>(elements_of_kind(score_kind, extents) * static_cast<std::int64_t>(sizeof(T)));
      pass.operands.template of<typename bounds::largest>() = {pass.largest, row_bytes};
      pass.operands.template of<typename bounds::weight>() = {pass.weight, row_bytes};
      if constexpr (is_last) {
        pass.out = out.data;
        pass.out_row_stride = out.row_stride;
        pass.normalizers = normalizers;
      }
      scatter::run(exec, pass, coo, extents_of<Step>(extents), chunk, workspace);
    };
    run_step(std::integral_constant<softmax_step, softmax_step::largest>{});
    run_step(std::integral_constant<softmax_step, softmax_step::weight>{});
    run_step(std::integral_constant<softmax_step, Last>{});
  }

  /// Leaves the inner term of the derivative in `inner`, where edges read it.
  template <class Out, class Grad>
  static void prepare(Exec const& exec, Out const* out, std::int64_t out_row_stride, Grad const* gradient,
                      std::int64_t gradient_row_stride, T* inner, graph_counts counts, row_extents extents) {
    std::int64_t const scores = elements_of_kind(score_kind, extents);
    softmax_inner<Out, Grad, T> const body{out,
                                           out_row_stride,
                                           gradient,
                                           gradient_row_stride,
                                           inner,
                                           scores,
                                           elements_of_kind(traits::out_kind, extents) / scores};
    scatter::for_each_element(exec, body, counts.destinations * scores);
  }

private:
  /// A step without channels has rows of one channel per head.
  template <softmax_step Step>
  static row_extents extents_of(row_extents extents) {
    using pass = pass_of<Step, T>;
    if constexpr (pass::has_channels) return extents;
    return {pass::has_heads ? extents.heads : 1, 1};
  }
  template <softmax_step Step>
  static void check_step(row_extents extents, int chunk) {
    scatter::template check_width<pass_of<Step, T>>(extents_of<Step>(extents), chunk);
  }
};

}  // namespace edgewise::inline v0::detail
