// Programs that tensor cores take: what an edge computes is a number per head, and a row of its source times it.
#pragma once

#include <type_traits>

#include <edgewise/core/float16.hpp>
#include <edgewise/core/tiled_storage.hpp>
#include <edgewise/expression/rewrite.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0::detail {

/// The name of what stands for an inner product once tensor cores have computed it: a number of the edge.
template <class Dot>
struct tile_product {};
template <class Dot>
using product_leaf = leaf<role::edge, tile_product<Dot>>;

/// Is E an operand of heads x channels in a role?
template <class E, role Role, class Table>
inline constexpr bool is_wide_operand = false;
template <class Name, role Role, class Table>
inline constexpr bool is_wide_operand<leaf<Role, Name>, Role, Table> = [] {
  using bound = bound_for<leaf<Role, Name>, Table>;
  if constexpr (std::is_void_v<bound>) {
    return false;
  } else {
    return bound::kind == operand_kind::wide;
  }
}();

/// The inner product of a row of the destination and one of the source, in either order.
template <class E, class Table>
struct tile_dot {
  static constexpr bool ok = false;
};
template <class A, class B, class Table>
struct tile_dot<channel_sum_node<node<operation::multiply, A, B>>, Table> {
  static constexpr bool is_in_order =
      is_wide_operand<A, role::destination, Table> && is_wide_operand<B, role::source, Table>;
  static constexpr bool ok =
      is_in_order || (is_wide_operand<B, role::destination, Table> && is_wide_operand<A, role::source, Table>);
  using destination = std::conditional_t<is_in_order, A, B>;
  using source = std::conditional_t<is_in_order, B, A>;
};

/// The inner products within an expression or aggregation.
template <class E, class Table>
struct tile_dots;
template <class List, class Table>
struct tile_dots_within;
template <class... E, class Table>
struct tile_dots_within<type_list<E...>, Table> {
  using type = unique_types<concat_types<type_list<>, typename tile_dots<E, Table>::type...>>;
};
template <class E, class Table>
struct tile_dots : tile_dots_within<typename argument_list<E>::type, Table> {};
template <class E, class Table>
requires(tile_dot<E, Table>::ok) struct tile_dots<E, Table> {
  using type = type_list<E>;
};

/// Puts a leaf in the place of each inner product.
template <class Table>
struct read_products {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = tile_dot<E, Table>::ok;
  template <class E>
  static constexpr product_leaf<E> apply(E const&) {
    return {};
  }
};

/// Is no leaf among these a row of channels?
template <class Leaves, class Table>
inline constexpr bool are_narrow = false;
template <class... Leaf, class Table>
inline constexpr bool are_narrow<type_list<Leaf...>, Table> = ([] {
  using bound = bound_for<Leaf, Table>;
  if constexpr (std::is_void_v<bound>) {
    return true;  // a product
  } else {
    return extent_of_kind(bound::kind) != extent::wide && Leaf::role_of != role::relation;
  }
}() && ...);

/// Is E a row of the source, times factors or dropped as they may be? Whole rows alone are dropped, not elements.
template <class E, class Table>
inline constexpr bool is_weighted_row = is_wide_operand<E, role::source, Table>;
template <class A, class B, class Table>
inline constexpr bool is_weighted_row<node<operation::multiply, A, B>, Table> =
    is_weighted_row<A, Table> != is_weighted_row<B, Table>;
template <class Name, class Number, class Rate, class A, class Shape, class Table>
inline constexpr bool is_weighted_row<dropout_node<Name, Number, Rate, A, Shape>, Table> = is_weighted_row<A, Table>&&
    are_narrow<typename rewritten<read_products<Table>, typename mask_shape<Shape>::type>::leaves, Table>;

/// Such an expression taken apart: Row is the leaf, `weight` all of the others.
template <class Row, class Weight>
struct weighted_row {
  using row = Row;
  Weight weight;
};
template <class Row, class Weight>
constexpr weighted_row<Row, Weight> make_weighted_row(Weight const& weight) {
  return {weight};
}
template <class Table, role Role, class Name>
constexpr auto split_row(leaf<Role, Name> const&) {
  return make_weighted_row<leaf<Role, Name>>(one{});
}
template <class Table, class A, class B>
constexpr auto split_row(node<operation::multiply, A, B> const& product);
template <class Table, class Name, class Number, class Rate, class A, class Shape>
constexpr auto split_row(dropout_node<Name, Number, Rate, A, Shape> const& e) {
  auto const inner = split_row<Table>(e.arg);
  using weight = std::remove_cvref_t<decltype(inner.weight)>;
  return make_weighted_row<typename decltype(inner)::row>(
      dropout_node<Name, Number, Rate, weight, Shape>{inner.weight, e.rate});
}
template <class Table, class A, class B>
constexpr auto split_row(node<operation::multiply, A, B> const& product) {
  if constexpr (is_weighted_row<A, Table>) {
    auto const inner = split_row<Table>(get<0>(product.args));
    return make_weighted_row<typename decltype(inner)::row>(times(inner.weight, get<1>(product.args)));
  } else {
    auto const inner = split_row<Table>(get<1>(product.args));
    return make_weighted_row<typename decltype(inner)::row>(times(inner.weight, get<0>(product.args)));
  }
}

/// What threads compute of an aggregation over tiles, slot by slot: with rows of sources taken out and products as
/// leaves. Row: the leaf of those rows.
template <class Row, class Aggregation>
struct tile_aggregation {
  using row = Row;
  using aggregation_type = Aggregation;
  Aggregation aggregation;
};
template <class Table, class Gather, class Message>
constexpr auto make_tile_aggregation(reduce_aggregation<Gather, Message> const& a) {
  auto const split = split_row<Table>(a.message);
  auto const weight = rewrite<read_products<Table>>(split.weight);
  using weight_type = std::remove_const_t<decltype(weight)>;
  return tile_aggregation<typename decltype(split)::row, reduce_aggregation<Gather, weight_type>>{{weight}};
}
template <class Table, class Score, class Value>
constexpr auto make_tile_aggregation(softmax_aggregation<Score, Value> const& a) {
  auto const split = split_row<Table>(a.value);
  auto const weight = rewrite<read_products<Table>>(split.weight);
  auto const score = rewrite<read_products<Table>>(a.score);
  using weight_type = std::remove_const_t<decltype(weight)>;
  using score_type = std::remove_const_t<decltype(score)>;
  return tile_aggregation<typename decltype(split)::row, softmax_aggregation<score_type, weight_type>>{{score, weight}};
}

/// How far an aggregation is one that tiles take; Table: the bound leaves.
template <class Aggregation, class Table>
struct tile_fit {
  static constexpr bool has_row = false;
  static constexpr bool is_narrow = false;
};
template <class Aggregation, class Table>
struct split_tile_fit {
  using type = decltype(make_tile_aggregation<Table>(std::declval<Aggregation const&>()));
  static constexpr bool has_row = true;
  static constexpr bool is_narrow =
      are_narrow<typename type::aggregation_type::leaves, Table> && tile_dots<Aggregation, Table>::type::size <= 1;
};
template <class Gather, class Message, class Table>
requires((std::is_same_v<Gather, sum> || std::is_same_v<Gather, mean>)&&is_weighted_row<
         Message, Table>) struct tile_fit<reduce_aggregation<Gather, Message>, Table>
    : split_tile_fit<reduce_aggregation<Gather, Message>, Table> {
};
template <class Score, class Value, class Table>
requires(is_weighted_row<Value, Table>) struct tile_fit<softmax_aggregation<Score, Value>, Table>
    : split_tile_fit<softmax_aggregation<Score, Value>, Table> {
};

/// The row of the source that tiles multiply, of a program that they take.
template <class Program, class Table>
struct tile_row {
  using fit = tile_fit<type_at<0, typename Program::aggregation_types>, Table>;
  using bound = bound_for<typename fit::type::row, Table>;
  using storage = std::remove_const_t<typename bound::storage>;
};

/// How the rows are stored that tiles multiply, where they take the program.
template <class Program, class Table>
consteval tiled_storage storage_over_tiles() {
  if constexpr (Program::num_aggregations == 1 && stashed_of<Program>::type::size == 0) {
    using fit = tile_fit<type_at<0, typename Program::aggregation_types>, Table>;
    if constexpr (fit::has_row) {
      if constexpr (fit::is_narrow) {
        using storage = typename tile_row<Program, Table>::storage;
        if (is_float16<storage>) return tiled_storage::bits16;
        if (std::is_same_v<storage, float>) return tiled_storage::float32;
      }
    }
  }
  return tiled_storage::none;
}
template <class Program, class Table>
inline constexpr bool program_fits_tiles = storage_over_tiles<Program, Table>() != tiled_storage::none;

/// The field of destinations that an edge's row of the source is multiplied by: the adjoint of a message but for the
/// number of the edge.
template <class Aggregation>
struct tile_gradient_field {
  using type = gradient_field;
};
template <class Gather, class Message>
struct tile_gradient_field<reduce_aggregation<Gather, Message>> {
  using type = type_at<0, typename Gather::reads>;
};

/// That field once more, in the type that tiles multiply, where the backward pass prepares it in float
/// (plan/rounded_rows.hpp).
struct rounded_field {};

/// Refuses programs that tensor cores do not take.
template <class Program, class Table>
struct require_tile_program {
  static constexpr bool is_single = Program::num_aggregations == 1;
  using aggregation = type_at<0, typename Program::aggregation_types>;
  static_assert(
      is_single && tile_fit<aggregation, Table>::has_row && tile_fit<aggregation, Table>::is_narrow,
      "tensor_core: takes one gather<sum> or gather<mean> of a number per head times a row of the source, such "
      "as gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>): src<v> is bound to heads x channels, and the "
      "number is made of at most one dot(dst<...>, src<...>) and of operands without channels; take another "
      "mapping for other programs (program/tile_program.hpp)");
  static constexpr bool ok = true;
};
template <bool WalksTiles, class Program, class Table>
struct require_tile_program_if : require_tile_program<Program, Table> {};
template <class Program, class Table>
struct require_tile_program_if<false, Program, Table> {
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
