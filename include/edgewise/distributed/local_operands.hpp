// Operands, outputs and gradients of a part as the plans of its two pieces see them.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/random.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/core/vec.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

template <class L>
struct is_leaf_of_operand : std::bool_constant<!is_number_leaf<L>> {};
template <class Leaves>
struct whole_leaves;
template <class... L>
struct whole_leaves<type_list<L...>> {
  using type = unique_types<type_list<whole_leaf<L>...>>;
};
/// What is bound for a program, leaf by leaf.
template <class Program>
using leaves_to_bind =
    typename whole_leaves<filter_types<is_leaf_of_operand, typename program_leaves<Program>::type>>::type;

template <role Role>
struct in_role {
  template <class L>
  struct test : std::bool_constant<L::role_of == Role && !is_random_leaf<L>> {};
};
template <class L>
struct is_shared_leaf : std::bool_constant<(L::role_of == role::parameter || L::role_of == role::matrix ||
                                            L::role_of == role::relation) &&
                                           !is_random_leaf<L>> {};

/// A view of `count` rows of a view.
template <class View>
View rows_of_view(View view, std::int64_t first, std::int64_t count) {
  if (view.data != nullptr) view.data += first * view.row_stride;
  view.rows = count;
  return view;
}

/// A view of the same extents over rows of another array that lie densely.
template <class View, class T>
struct retyped_view;
template <class U, operand_kind Kind, class T>
struct retyped_view<operand_view<U, Kind>, T> {
  using type = operand_view<T, Kind>;
};
template <class U, operand_kind Kind, int Length, class T>
struct retyped_view<vec_view<U, Kind, Length>, T> {
  using type = vec_view<T, Kind, Length>;
};
template <class T, class View>
auto view_over(T* data, std::int64_t rows, View const& like) {
  return typename retyped_view<View, T>::type{data, rows, like.heads, like.channels, like.row_size()};
}

/// The rows and edges of one of the two pieces of a part.
struct part_side {
  std::int64_t first_row, num_rows;
  std::int64_t first_edge, num_edges;
  std::int64_t const* edge_numbers;  ///< in the whole graph, those of self edges behind them; null without dropouts
  std::int64_t const* row_numbers;
};

/// The type of view that a local plan is bound with.
template <class View>
struct local_view {
  using type = View;
};
template <>
struct local_view<random_numbers_view> {
  using type = renumbered_random_view;
};

/// What rows of T travel as: T, or Message where that is narrower.
template <class T, class Message>
using message_type = std::conditional_t<std::is_same_v<T, float> && !std::is_void_v<Message>, Message, T>;

template <class Leaves, class Set>
struct local_bindings;
template <class... Leaf, class Set>
struct local_bindings<type_list<Leaf...>, Set> {
  using type = binding_set<binding<Leaf, typename local_view<view_bound_to<Leaf, Set>>::type>...>;
};

/// The type of view that the remote piece's plan is bound with: sources are stored as they travel where the table holds
/// that (Travels, else void).
template <class Leaf, class View, class Travels>
struct remote_view : local_view<View> {};
template <class Leaf, class View, class Travels>
requires(Leaf::role_of == role::source && !is_random_leaf<Leaf> &&
         !std::is_void_v<Travels>) struct remote_view<Leaf, View, Travels>
    : retyped_view<View, message_type<std::remove_const_t<typename View::value_type>, Travels> const> {
};
template <class Leaves, class Set, class Travels>
struct remote_bindings;
template <class... Leaf, class Set, class Travels>
struct remote_bindings<type_list<Leaf...>, Set, Travels> {
  using type = binding_set<binding<Leaf, typename remote_view<Leaf, view_bound_to<Leaf, Set>, Travels>::type>...>;
};

/// What `Leaf` is on a side. table(leaf, view): where the side finds an operand of sources.
template <class Leaf, class View, class Table>
auto local_operand(View const& view, part_side const& side, [[maybe_unused]] Table const& table) {
  if constexpr (is_random_leaf<Leaf>) {
    renumbered_random_view numbers;
    static_cast<random_numbers_view&>(numbers) = view;
    numbers.edge_numbers = side.edge_numbers;
    numbers.row_numbers = side.row_numbers;
    return numbers;
  } else if constexpr (Leaf::role_of == role::source) {
    return table(type_tag<Leaf>{}, view);
  } else if constexpr (Leaf::role_of == role::destination) {
    return rows_of_view(view, side.first_row, side.num_rows);
  } else if constexpr (Leaf::role_of == role::edge) {
    return rows_of_view(view, side.first_edge, side.num_edges);
  } else {
    return view;
  }
}

/// What `Leaf` is to a program of vertices, whose rows are all of the part's.
template <class Leaf, class View>
auto whole_operand(View const& view, part_side const& side) {
  if constexpr (is_random_leaf<Leaf>) {
    return local_operand<Leaf>(view, side, 0);
  } else {
    return view;
  }
}

/// Calls f(type_tag<L>{}) for every leaf.
template <class... L, class F>
void for_each_leaf(type_list<L...>, F const& f) {
  (f(type_tag<L>{}), ...);
}

}  // namespace edgewise::inline v0::detail
