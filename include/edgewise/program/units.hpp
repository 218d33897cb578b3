// Programs of several units: gathers whose messages read values of vertices that other gathers make, and dense products
// between them.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/program/along_edges.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/hoisted.hpp>
#include <edgewise/program/lift.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/products.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0::detail {

/// Reads what sources decide as the rows of a program of vertices are read.
struct sources_as_rows {
  static constexpr bool renames_leaves = true;
  template <class E>
  static constexpr bool takes = is_leaf_of<E, role::source>;
  template <class Name>
  static constexpr auto apply(leaf<role::source, Name> const&) {
    return leaf<role::destination, Name>{};
  }
};
/// A program of vertices, without gathers, whose rows are sources.
template <class Lowered>
struct source_program : Lowered {
  using lowered = Lowered;
};

template <class E>
constexpr auto lower_values(E const& e) {
  return apply_policy<recompute>(lower_vertices(e));
}
template <class Program>
constexpr source_program<Program> make_source_program(Program const& program) {
  return {program};
}
/// Lowers a unit. One that scatters keeps nothing: its output is what edges compute.
template <class Keeping, class E, class Library>
constexpr auto lower_unit(E const& e, Library const&) {
  if constexpr (has_gather<E>) {
    return apply_policy<Keeping>(lower_program(e));
  } else if constexpr (has_scatter<E>) {
    return apply_policy<recompute>(lower_program(e));
  } else {
    return lower_values(e);
  }
}
template <class Keeping, class E, class Library>
constexpr auto lower_unit(source_value<E> const& e, Library const&) {
  return make_source_program(lower_values(rewrite<sources_as_rows>(e.expr)));
}
template <class Keeping, class Row, class W, int Block, class Rows, class Library>
constexpr auto lower_unit(dense_product<Row, W, Block, Rows> const&, Library const& library) {
  return dense_program<dense_product<Row, W, Block, Rows>, Library>{library};
}

template <class Unit>
struct is_traversal : std::bool_constant<has_gather<Unit> || has_scatter<Unit>> {};
template <class E>
struct is_traversal<source_value<E>> : std::false_type {};
template <class Row, class W, int Block, class Rows>
struct is_traversal<dense_product<Row, W, Block, Rows>> : std::false_type {};

/// Lowers a program of any number of units; one alone is lowered as it is. library: who computes dense products.
template <class Keeping, class E, class Library = engine_products>
constexpr auto lower_units(E const& e, Library const& library = {}) {
  auto const whole = lift<false>(e, pack<>{});
  using root = std::remove_cvref_t<decltype(whole.expr)>;
  constexpr int num_values = decltype(whole.units)::size;
  if constexpr (num_values == 0) {
    return apply_policy<Keeping>(lower_program(whole.expr));
  } else {
    static_assert(std::is_same_v<Keeping, recompute> || std::is_same_v<Keeping, stash<automatic>>,
                  "stash: names are of programs of one unit; over several, stash<automatic> and recompute can be told "
                  "(program/units.hpp)");
    static_assert(any_in_list<is_traversal, concat_types<decltype(types_of(whole.units)), type_list<root>>>::value,
                  "program: holds no gather; write gather<sum>(message), or scatter(message) for a value of every edge "
                  "(program/units.hpp)");
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      auto const make = []<class... L>(L const&... unit) { return unit_program<L...>{make_pack(unit...)}; };
      if constexpr (std::is_same_v<root, leaf<role::destination, unit_value<num_values - 1>>>) {  // the last is all
        return make(lower_unit<Keeping>(get<K>(whole.units), library)...);
      } else {
        return make(lower_unit<Keeping>(get<K>(whole.units), library)..., lower_unit<Keeping>(whole.expr, library));
      }
    }
    (std::make_integer_sequence<int, num_values>{});
  }
}

template <class Option, class... Unit>
constexpr auto with_handing(unit_program<Unit...> const& program) {
  static_assert(!is_handing_option<Option>,
                "hand_over: takes programs of one unit; this one reads values of vertices along edges "
                "(program/units.hpp)");
  return program;
}
template <class Option, class Lowered, int Inputs>
constexpr auto with_handing(program_along_edges<Lowered, Inputs> const& program) {
  static_assert(!is_handing_option<Option>, "hand_over: and along_edges do not go together (program/along_edges.hpp)");
  return program;
}

/// Lowers a program whose products of Inputs elements in messages are formed edge by edge; of 0, none.
template <class Keeping, int Inputs, class E, class Library>
constexpr auto lower_program_with(E const& e, Library const& library) {
  if constexpr (Inputs == 0) {
    return lower_units<Keeping>(e, library);
  } else {
    return make_program_along_edges<Inputs>(lower_units<Keeping>(rewrite<products_along_edges<Inputs>>(e), library));
  }
}

/// A program's leaves: those of messages, self edges and epilogue.
template <class Program>
struct program_leaves {
  using type = unique_types<concat_types<typename Program::leaves, typename Program::self_leaves,
                                         operand_leaves<typename Program::epilogue_type>>>;
};
template <class Aggregation>
struct program_leaves<edge_program<Aggregation>> {
  using type = typename edge_program<Aggregation>::leaves;
};

template <class Product, class Library>
struct program_leaves<dense_program<Product, Library>> {
  using type = typename Product::leaves;
};
template <int Unit, int Part, class Replaced>
struct program_leaves<unit_part<Unit, Part, Replaced>> {
  using type = type_list<>;
};
template <class L>
struct as_source {
  using type = L;
};
template <class Name>
struct as_source<leaf<role::destination, Name>> {
  using type = leaf<role::source, Name>;
};
template <class Leaves>
struct leaves_as_sources;
template <class... L>
struct leaves_as_sources<type_list<L...>> {
  using type = type_list<typename as_source<L>::type...>;
};
template <class Lowered>
struct program_leaves<source_program<Lowered>> : leaves_as_sources<typename program_leaves<Lowered>::type> {};

template <class Lowered, int Inputs>
struct program_leaves<program_along_edges<Lowered, Inputs>> : program_leaves<Lowered> {};
template <class... Unit>
struct program_leaves<unit_program<Unit...>> {
  using type = unique_types<concat_types<typename program_leaves<Unit>::type...>>;
};

/// The leaves that have to be bound: those of a dense product's other blocks say where its own lies.
template <class Program>
struct bound_leaves : program_leaves<Program> {};
template <class Product, class Library>
struct bound_leaves<dense_program<Product, Library>> {
  using type = unique_types<concat_types<typename Product::leaves, typename Product::rows>>;
};

/// Does a list of leaves hold the value of a unit, in any role?
template <int Unit, class Leaves>
inline constexpr bool reads_unit = contains_type<leaf<role::source, unit_value<Unit>>, Leaves> ||
                                   contains_type<leaf<role::destination, unit_value<Unit>>, Leaves>;

}  // namespace edgewise::inline v0::detail
