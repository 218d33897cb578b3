// The programs of the two pieces of a part: the same one, or a sum over each piece's edges.
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

namespace edgewise::inline v0::detail {

/// Operands that the local piece hands to the remote one: a row's sum over edges from sources of this rank, and for
/// means what the sum over all edges is divided by, 1 where there are none.
struct sum_of_own_edges {};
struct edges_of_row {};
using own_sum_leaf = leaf<role::destination, sum_of_own_edges>;
using row_edges_leaf = leaf<role::destination, edges_of_row>;

/// Pieces are rows: both run the program as it is.
template <class Program>
struct programs_by_rows {
  static constexpr bool divides_sums = false;
  static constexpr bool is_mean = false;
  using local_type = Program;
  using remote_type = Program;
  static Program const& local(Program const& program) { return program; }
  static Program const& remote(Program const& program) { return program; }
};

template <class Gather, class Message>
constexpr auto as_sum(reduce_aggregation<Gather, Message> const& aggregation) {
  return reduce_aggregation<sum, Message>{aggregation.message};
}
constexpr no_self as_sum(no_self const&) { return {}; }

/// Pieces are edges: the local one sums messages, the remote one adds its own, and does all else. For programs with one
/// gather, a sum or a mean, of which no operand is a small vector.
template <class Program>
struct programs_by_edges {
  static constexpr bool divides_sums = false;
};
template <class Epilogue, class Gather, class Message, class Self>
requires(std::is_same_v<Gather, sum> || std::is_same_v<Gather, mean>) struct programs_by_edges<
    lowered_program<Epilogue, type_list<reduce_aggregation<Gather, Message>>, type_list<Self>>> {
  using program_type = lowered_program<Epilogue, type_list<reduce_aggregation<Gather, Message>>, type_list<Self>>;
  using value_leaf = leaf<role::destination, aggregation_value<0>>;
  using message_sum = reduce_aggregation<sum, Message>;
  static constexpr bool is_mean = std::is_same_v<Gather, mean>;
  static constexpr bool has_self = !std::is_same_v<Self, no_self>;

  template <class L>
  struct is_component : std::bool_constant<!std::is_same_v<whole_leaf<L>, L>> {};
  static constexpr bool divides_sums =
      filter_types<is_component, typename program_leaves<program_type>::type>::size == 0;

  struct add_own_sum {
    template <class E>
    static constexpr bool takes = std::is_same_v<E, value_leaf>;
    static constexpr auto apply(value_leaf const& others) {
      if constexpr (is_mean) {
        return (others + own_sum_leaf{}) / row_edges_leaf{};
      } else {
        return others + own_sum_leaf{};
      }
    }
  };
  using self_sum = decltype(as_sum(std::declval<Self const&>()));
  using local_type = lowered_program<value_leaf, type_list<message_sum>, type_list<no_self>>;
  using remote_type = lowered_program<rewritten<add_own_sum, Epilogue>, type_list<message_sum>, type_list<self_sum>>;
  static local_type local(program_type const& program) {
    return {{}, make_pack(as_sum(get<0>(program.aggregations))), {}};
  }
  static remote_type remote(program_type const& program) {
    return {rewrite<add_own_sum>(program.epilogue), make_pack(as_sum(get<0>(program.aggregations))),
            make_pack(as_sum(get<0>(program.selves)))};
  }
};

}  // namespace edgewise::inline v0::detail
