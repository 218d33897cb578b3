// What an edge program keeps from the forward pass and reads in the backward pass, given the kinds of its operands.
#pragma once

#include <edgewise/fields/program_traits.hpp>
#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/pass/expression_kind.hpp>
#include <edgewise/pass/store_pass.hpp>
#include <edgewise/program/edge_softmax.hpp>

namespace edgewise::inline v0::detail {

/// What an aggregation of edges adds to operands and the output's adjoint: nothing.
template <class Aggregation, class Table, class Offset, class T>
struct edge_stages;
template <class Message, class Table, class Offset, class T>
struct edge_stages<edge_aggregation<Message>, Table, Offset, T> {
  using normalizer = softmax_normalizer<T>;
  using saved = type_list<>;
  static constexpr operand_kind row_kind = operand_kind::per_row;
  using forward_fields = type_list<>;
  using backward_fields = type_list<>;
};

/// A softmax reads two things of its row: the normalizer, made by the first traversal of forward and kept, and the
/// inner product of values and adjoints, made by the first traversal of backward.
template <class Score, class Value, class Table, class Offset, class T>
struct edge_stages<edge_softmax_aggregation<Score, Value>, Table, Offset, T> {
  using normalizer = softmax_normalizer<T>;
  using saved = type_list<normalizer>;
  using score_table = bound_subset<typename Score::leaves, Table>;
  static constexpr operand_kind row_kind = kind_of_expression<Score, score_table, T>();
  using normalizer_bound = bound_leaf<normalizer_leaf<0>, row_kind, normalizer const>;
  using inner_bound = bound_leaf<inner_leaf<0>, row_kind, T const>;
  using forward_fields = type_list<normalizer_bound>;
  using backward_fields = type_list<normalizer_bound, inner_bound>;

  using normalizer_program_type = decltype(normalizer_program(std::declval<Score const&>()));
  using normalizer_pass = forward_pass<normalizer_program_type, score_table, Offset, T, normalizer>;
};

/// The counterpart of `program_traits` for programs of edges.
template <class Program, class Table, class Offset, class T>
struct edge_traits;
template <class Aggregation, class Table, class Offset, class T>
struct edge_traits<edge_program<Aggregation>, Table, Offset, T> : edge_stages<Aggregation, Table, Offset, T> {
  using accumulator = T;
  using offset_type = Offset;
  using stages = edge_stages<Aggregation, Table, Offset, T>;
  static constexpr int num_aggregations = 1;
  static constexpr bool identity_epilogue = true;

  using store_program_type = decltype(store_program(std::declval<edge_program<Aggregation> const&>()));
  using store_table = concat_types<Table, typename stages::forward_fields>;
  template <class Out>
  using store_pass_for = store_pass<store_program_type, store_table, Offset, T, Out>;
  using stored_message =
      std::remove_cvref_t<decltype(get<0>(std::declval<store_program_type const&>().aggregations).message)>;
  static constexpr operand_kind out_kind = kind_of_expression<stored_message, store_table, T>();

  // What `saved_state` asks of an aggregation.
  struct fields {
    using saved = typename stages::saved;
    static constexpr operand_kind saved_kind = stages::row_kind;
  };
  template <int>
  using aggregation = Aggregation;
  template <int>
  using fields_of = fields;
  template <int>
  static constexpr operand_kind aggregation_kind = out_kind;
  template <int>
  static constexpr bool keeps_result = false;
  static constexpr bool reads_output = false;
  using stash_table = type_list<>;
  template <class F>
  static void for_each_aggregation(F const& f) {
    for_each_index_on_host<num_aggregations>(f);
  }

  /// The output's adjoint, stored as Element, as edges read it.
  template <class Element>
  using gradient_bound = bound_leaf<edge_gradient_leaf, out_kind, Element const>;
  template <class Element>
  using backward_table = concat_types<Table, type_list<gradient_bound<Element>>, typename stages::backward_fields>;
};

/// The pass that forms the inner products: a backward pass whose only gradient is that of the row's factor. Element:
/// how the output's adjoint is stored.
template <class Aggregation, class Traits, class Element>
struct inner_products {
  using program_type =
      decltype(inner_program(std::declval<Aggregation const&>().score, std::declval<Aggregation const&>().value));
  using target = bound_leaf<inner_leaf<0>, Traits::row_kind, typename Traits::accumulator>;
  using pass_type = backward_pass<program_type, typename Traits::template backward_table<Element>, type_list<target>,
                                  role::destination, typename Traits::offset_type, typename Traits::accumulator>;
};

}  // namespace edgewise::inline v0::detail
