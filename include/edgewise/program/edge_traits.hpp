// What an edge program keeps from the forward pass and reads in the backward pass, given the kinds of its operands.
#pragma once

#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/program_traits.hpp>

namespace edgewise::detail {

/// The counterpart of `program_traits`. Nothing is kept: the backward pass reads the operands and the output's adjoint.
template <class Program, class Table, class Offset, class T>
struct edge_traits;
template <class Message, class Table, class Offset, class T>
struct edge_traits<edge_program<edge_unit<Message>>, Table, Offset, T> {
  using accumulator = T;
  using offset_type = Offset;
  static constexpr int num_units = 1;
  static constexpr bool identity_epilogue = true;

  using geometry = cuda_geometry<4, 1, 4>;  // extents do not depend on which
  using message_env =
      environment<geometry, T, registers<geometry, T, 1, Table>, registers<geometry, T, 1, type_list<>>>;
  static constexpr operand_kind out_kind = kind_of_extent(
      std::remove_cvref_t<
          decltype(std::declval<Message const&>().trace(std::declval<message_env const&>()).value)>::extent_of);

  // What `saved_state` asks of a unit.
  struct fields {
    using saved = type_list<>;
    static constexpr operand_kind saved_kind = out_kind;
  };
  template <int>
  using fields_of = fields;
  template <int>
  static constexpr operand_kind unit_kind = out_kind;
  template <int>
  static constexpr bool keeps_result = false;
  using stash_table = type_list<>;
  template <class F>
  static void for_each_unit(F const& f) {
    for_each_index_on_host<num_units>(f);
  }

  /// The output's adjoint as edges read it.
  using gradient_bound = bound_leaf<edge_gradient_leaf, out_kind, typename table_accumulator<Table>::storage const>;
};

}  // namespace edgewise::detail
