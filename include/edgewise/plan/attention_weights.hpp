// Weights of single edges as a second output: what a plan of gather<sum>(softmax(score) * value) runs to write them.
#pragma once

#include <edgewise/fields/edge_traits.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// The number of the only softmax among aggregations; -1 where there is none, or more than one.
template <class... Aggregation>
consteval int only_softmax(type_list<Aggregation...>) {
  int found = -1;
  int count = 0;
  int i = 0;
  ((found = Aggregation::is_softmax ? i : found, count += Aggregation::is_softmax ? 1 : 0, ++i), ...);
  return count == 1 ? found : -1;
}

/// Stores the softmax weight of every edge, given the kept normalizers.
template <class Program, class Table, class Offset, class T, class Storage>
struct attention_weights {
  static constexpr int aggregation = only_softmax(typename Program::aggregation_types{});
  static_assert(
      aggregation >= 0,
      "attention_weights: the program needs exactly one softmax, as in gather<sum>(softmax(score) * value); the "
      "weights of another score are a program of edges, scatter(softmax(score)) "
      "(plan/attention_weights.hpp)");
  using score_type = std::remove_cvref_t<decltype(get<aggregation>(std::declval<Program const&>().aggregations).score)>;
  using score_table = bound_subset<typename score_type::leaves, Table>;
  static constexpr operand_kind kind = kind_of_expression<score_type, score_table, T>();
  using normalizer_bound = bound_leaf<normalizer_leaf<aggregation>, kind, softmax_normalizer<T> const>;

  static constexpr auto program_of(Program const& program) {
    return program_of_message(weight_of<aggregation>(get<aggregation>(program.aggregations).score));
  }
  using program_type = decltype(program_of(std::declval<Program const&>()));
  using table = concat_types<score_table, type_list<normalizer_bound>>;
  using pass_type = store_pass<program_type, table, Offset, T, Storage>;

  /// Points a pass of `program_type` over `table` at the score's operands, at the kept normalizers and at the weights;
  /// returns the longest chunk that all of them allow.
  template <class Pass, class Bindings, class Saved, class View>
  static int fill(Pass& pass, Program const& program, Bindings const& in, Saved const& saved, View const& weights) {
    pass.program = program_of(program);
    int const chunk = smaller(fill_operands<score_table>(pass.operands, in), chunk_of(weights));
    using normalizer = softmax_normalizer<T>;
    pass.operands.template of<normalizer_bound>() = {
        static_cast<normalizer const*>(saved.template field<aggregation, 0>()),
        saved.template field_row_bytes<aggregation, normalizer>()};
    pass.out = weights.data;
    pass.out_row_stride = weights.row_stride;
    return chunk;
  }
};

}  // namespace edgewise::inline v0::detail
