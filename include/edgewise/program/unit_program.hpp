// A lowered program of several units, and what units can be besides programs of gathers.
#pragma once

#include <type_traits>

#include <edgewise/core/pack.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/expression/leaf.hpp>

namespace edgewise::inline v0 {

/// The name of what unit Unit of a program computes for every vertex, among the operands of later units.
template <int Unit>
struct unit_value {};

namespace detail {

/// A program of several units: lowered programs, the last one of which makes the output. Unit K reads values of earlier
/// units as `leaf<role, unit_value<J>>`. A unit is
///   lowered_program, edge_program   a traversal; the former without gathers where vertices alone are read
///   source_program                  such a program of vertices whose rows are sources
///   dense_program                   a dense product of rows of vertices
///   unit_part                       a part of what another unit computes
template <class... Unit>
struct unit_program {
  using unit_types = type_list<Unit...>;
  static constexpr int num_units = sizeof...(Unit);
  pack<Unit...> units;
};
template <class Program>
inline constexpr bool is_unit_program = false;
template <class... Unit>
inline constexpr bool is_unit_program<unit_program<Unit...>> = true;

template <class L>
struct is_unit_value : std::false_type {};
template <role R, int Unit>
struct is_unit_value<leaf<R, unit_value<Unit>>> : std::true_type {};
template <class L>
struct is_no_unit_value : std::bool_constant<!is_unit_value<L>::value> {};
template <class E>
inline constexpr bool reads_unit_values = filter_types<is_unit_value, typename E::leaves>::size > 0;

/// An expression that sources decide, before it is lowered.
template <class E>
struct source_value {
  E expr;
};

/// The table that a leaf reads: values of units are known by their number, whichever end reads them.
template <class Leaf>
struct table_of {
  using type = Leaf;
};
template <role R, int Unit>
struct table_of<leaf<R, unit_value<Unit>>> {
  using type = leaf<role::destination, unit_value<Unit>>;
};
template <class Leaf>
using table_of_leaf = typename table_of<Leaf>::type;

/// The product of every row of a table, the leaf Row, and a block of rows of matrix W. Rows: the leaves of all blocks,
/// whose widths say where the block with number Block lies.
template <class Row, class W, int Block, class Rows>
struct dense_product {
  static_assert(!std::is_same_v<typename Row::name, W>,
                "linear: its matrix and the row that it multiplies have one name; give the matrix another "
                "(expression/linear.hpp)");
  using row = Row;
  using matrix = leaf<role::matrix, W>;
  using rows = Rows;
  using leaves = type_list<Row, matrix>;
  static constexpr int block = Block;
};

/// A dense product that a library computes, or where it does not the engine (engine/concept.hpp).
template <class Product, class Library>
struct dense_program {
  using product = Product;
  using leaves = typename Product::leaves;
  Library library;
};

/// The place of a unit whose value is part Part of what unit Unit computes (program/joined_units.hpp).
/// Replaced: the leaves that the unit read which stood there.
template <int Unit, int Part, class Replaced>
struct unit_part {
  using leaves = type_list<>;
  using replaced_leaves = Replaced;
};

}  // namespace detail
}  // namespace edgewise::inline v0
