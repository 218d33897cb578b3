// The programs of the two pieces of a part: the same one, or two that share the edges of each row.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/core/type_list.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/leaf.hpp>
#include <edgewise/expression/rewrite.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/softmax_so_far.hpp>

namespace edgewise::inline v0::detail {

/// Operands that the local piece hands to the remote one, of each row: what its edges amount to; of a softmax the
/// largest of their scores and the sum of the exponentials; of a mean the number of edges of both pieces, 1 where there
/// are none.
struct own_value {};
struct own_largest {};
struct own_weight {};
struct edges_of_row {};
using own_value_leaf = leaf<role::destination, own_value>;
using own_largest_leaf = leaf<role::destination, own_largest>;
using own_weight_leaf = leaf<role::destination, own_weight>;
using row_edges_leaf = leaf<role::destination, edges_of_row>;
template <class L>
struct is_users_operand
    : std::bool_constant<
          !contains_type<L, type_list<own_value_leaf, own_largest_leaf, own_weight_leaf, row_edges_leaf>>> {};

/// Pieces are rows: both run the program as it is.
template <class Program>
struct programs_by_rows {
  static constexpr bool shares_rows = false;
  static constexpr bool is_mean = false;
  static constexpr bool is_softmax = false;
  static constexpr bool hands_adjoint = false;
  using local_type = Program;
  using remote_type = Program;
  static Program const& local(Program const& program) { return program; }
  static Program const& remote(Program const& program) { return program; }
};

template <class L>
struct is_component_of_whole : std::bool_constant<!std::is_same_v<whole_leaf<L>, L>> {};
template <class Program>
inline constexpr bool has_whole_operands =
    filter_types<is_component_of_whole, typename program_leaves<Program>::type>::size == 0;

/// Pieces are edges: the local piece runs the gather alone, with self edges where there are any; to the remote one what
/// comes of it is a virtual self edge. For programs with one gather, a sum, a mean, or a softmax sum that the program
/// ends with; no operand is a small vector.
template <class Program>
struct programs_by_edges {
  static constexpr bool shares_rows = false;
};

using gather_value_leaf = leaf<role::destination, aggregation_value<0>>;

template <class Gather, class Message>
constexpr auto as_sum(reduce_aggregation<Gather, Message> const& aggregation) {
  return reduce_aggregation<sum, Message>{aggregation.message};
}
constexpr no_self as_sum(no_self const&) { return {}; }

template <class Epilogue, class Gather, class Message, class Self>
requires(std::is_same_v<Gather, sum> || std::is_same_v<Gather, mean>) struct programs_by_edges<
    lowered_program<Epilogue, type_list<reduce_aggregation<Gather, Message>>, type_list<Self>>> {
  using program_type = lowered_program<Epilogue, type_list<reduce_aggregation<Gather, Message>>, type_list<Self>>;
  static constexpr bool shares_rows = has_whole_operands<program_type>;
  static constexpr bool is_mean = std::is_same_v<Gather, mean>;
  static constexpr bool is_softmax = false;
  static constexpr bool has_self = !std::is_same_v<Self, no_self>;
  /// Is the adjoint of the local piece's values that of the output?
  static constexpr bool hands_adjoint = std::is_same_v<Epilogue, gather_value_leaf> && !is_mean;

  struct divide_mean {
    template <class E>
    static constexpr bool takes = is_mean&& std::is_same_v<E, gather_value_leaf>;
    static constexpr auto apply(gather_value_leaf const& total) { return total / row_edges_leaf{}; }
  };
  using message_sum = reduce_aggregation<sum, Message>;
  using self_sum = decltype(as_sum(std::declval<Self const&>()));
  using local_type = lowered_program<gather_value_leaf, type_list<message_sum>, type_list<self_sum>>;
  using remote_type = lowered_program<rewritten<divide_mean, Epilogue>, type_list<message_sum>,
                                      type_list<reduce_aggregation<sum, own_value_leaf>>>;
  static local_type local(program_type const& program) {
    return {{}, make_pack(as_sum(get<0>(program.aggregations))), make_pack(as_sum(get<0>(program.selves)))};
  }
  static remote_type remote(program_type const& program) {
    return {rewrite<divide_mean>(program.epilogue), make_pack(as_sum(get<0>(program.aggregations))), {}};
  }
};

template <class Score, class Value, class Self>
struct programs_by_edges<
    lowered_program<gather_value_leaf, type_list<softmax_aggregation<Score, Value>>, type_list<Self>>> {
  using local_type = lowered_program<gather_value_leaf, type_list<softmax_aggregation<Score, Value>>, type_list<Self>>;
  static constexpr bool shares_rows = has_whole_operands<local_type>;
  static constexpr bool is_mean = false;
  static constexpr bool is_softmax = true;
  static constexpr bool hands_adjoint = true;

  using own_softmax = softmax_so_far<own_largest_leaf, own_weight_leaf, own_value_leaf>;
  using remote_type =
      lowered_program<gather_value_leaf, type_list<softmax_aggregation<Score, Value>>, type_list<own_softmax>>;
  static local_type const& local(local_type const& program) { return program; }
  static remote_type remote(local_type const& program) { return {{}, program.aggregations, {}}; }
};

}  // namespace edgewise::inline v0::detail
