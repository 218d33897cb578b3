// Arguments of a plan: which operand is which name, where outputs and gradients go.
#pragma once

#include <type_traits>

#include <edgewise/core/operand.hpp>
#include <edgewise/core/row_types.hpp>
#include <edgewise/core/type_name.hpp>
#include <edgewise/core/vec.hpp>
#include <edgewise/expression/component.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/input_rows.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0 {

/// A name in every role that it has in the program.
template <class Name>
struct every_role {};

/// An operand bound to Target: `every_role<Name>` or a leaf.
template <class Target, class View>
struct binding {
  using target = Target;
  using view_type = View;
  View view;
};

/// `bind<h>(view)`: h as source, destination, edge or parameter, wherever the program reads it.
template <class Name, class T, operand_kind Kind>
binding<every_role<Name>, operand_view<T, Kind>> bind(operand_view<T, Kind> const& view) {
  return {view};
}
/// `bind<src<h>>(view)`: h in one role.
template <auto Leaf, class T, operand_kind Kind>
binding<std::remove_cvref_t<decltype(Leaf)>, operand_view<T, Kind>> bind(operand_view<T, Kind> const& view) {
  return {view};
}

/// Small vectors, `bind<p>(vec_per_row<2>(P, e))`, in every role or in one.
template <class Name, class T, operand_kind Kind, int Length>
binding<every_role<Name>, vec_view<T, Kind, Length>> bind(vec_view<T, Kind, Length> const& view) {
  return {view};
}
template <auto Leaf, class T, operand_kind Kind, int Length>
binding<std::remove_cvref_t<decltype(Leaf)>, vec_view<T, Kind, Length>> bind(vec_view<T, Kind, Length> const& view) {
  return {view};
}

/// `bind<W>(by_type(matrices, types))`: a matrix for each type of rows.
template <class Name, class T, class Offset>
binding<every_role<Name>, typed_matrices_view<T, Offset>> bind(typed_matrices_view<T, Offset> const& view) {
  return {view};
}

/// `bind<drop>(random_numbers(&state))`: the random numbers of `dropout<drop>(...)`.
template <class Name>
binding<every_role<Name>, random_numbers_view> bind(random_numbers_view const& numbers) {
  return {numbers};
}

/// The same by numbers of the whole graph that edges and rows are a part of.
template <class Name>
binding<every_role<Name>, renumbered_random_view> bind(renumbered_random_view const& numbers) {
  return {numbers};
}

/// Chosen where the others do not fit, to say what they take.
template <class Name, class Given>
auto bind(Given const&) {
  static_assert(sizeof(Given) == 0,
                "bind: takes a view, such as wide(data, rows, channels), or random_numbers(&state, stream)");
}
template <auto Leaf, class Given>
auto bind(Given const&) {
  static_assert(sizeof(Given) == 0, "bind: takes a view, such as wide(data, rows, channels)");
}

/// The operands of a program.
template <class... Binding>
struct binding_set {
  pack<Binding...> items;
};

/// Collects bindings: `bindings(bind<h>(wide(H, n, 64)), bind<w>(per_row(W, e)))`.
template <class... Target, class... View>
binding_set<binding<Target, View>...> bindings(binding<Target, View> const&... b) {
  return {make_pack(b...)};
}

/// Where the program's value goes.
template <class View>
struct output {
  View view;
};
template <class T, operand_kind Kind>
output<operand_view<T, Kind>> out(operand_view<T, Kind> const& view) {
  static_assert(!std::is_const_v<T>, "out: the output is written, its element type cannot be const");
  return {view};
}

/// The adjoint of the program's value.
template <class View>
struct output_gradient {
  View view;
};
template <class T, operand_kind Kind>
output_gradient<operand_view<T const, Kind>> grad_out(operand_view<T, Kind> const& v) {
  return {{v.data, v.rows, v.heads, v.channels, v.row_stride}};
}

/// A gradient that is asked for; Accumulate adds to what is there, otherwise it is overwritten.
template <class Target, class View, bool Accumulate>
struct gradient_request {
  static_assert(!std::is_const_v<typename View::value_type>,
                "grad: a gradient is written, its element type cannot be const");
  using target = Target;
  using view_type = View;
  static constexpr bool accumulates = Accumulate;
  View view;
};

namespace detail {

template <class T>
inline constexpr bool is_gradient_request = false;
template <class Target, class View, bool Accumulate>
inline constexpr bool is_gradient_request<gradient_request<Target, View, Accumulate>> = true;
template <class T>
concept gradient_argument = is_gradient_request<T>;

}  // namespace detail

/// `grad<h>(view)`: the gradient of h over all its roles; `grad<src<h>>(view)`: of one role.
template <class Name, class T, operand_kind Kind>
gradient_request<every_role<Name>, operand_view<T, Kind>, false> grad(operand_view<T, Kind> const& view) {
  return {view};
}
template <auto Leaf, class T, operand_kind Kind>
gradient_request<std::remove_cvref_t<decltype(Leaf)>, operand_view<T, Kind>, false> grad(
    operand_view<T, Kind> const& view) {
  return {view};
}
template <class Name, class T, operand_kind Kind, int Length>
gradient_request<every_role<Name>, vec_view<T, Kind, Length>, false> grad(vec_view<T, Kind, Length> const& view) {
  return {view};
}
template <auto Leaf, class T, operand_kind Kind, int Length>
gradient_request<std::remove_cvref_t<decltype(Leaf)>, vec_view<T, Kind, Length>, false> grad(
    vec_view<T, Kind, Length> const& view) {
  return {view};
}
/// Like `grad`, but added to what is there.
template <class Name, class T, operand_kind Kind>
gradient_request<every_role<Name>, operand_view<T, Kind>, true> accumulate(operand_view<T, Kind> const& view) {
  return {view};
}
template <auto Leaf, class T, operand_kind Kind>
gradient_request<std::remove_cvref_t<decltype(Leaf)>, operand_view<T, Kind>, true> accumulate(
    operand_view<T, Kind> const& view) {
  return {view};
}
template <class Name, class T, operand_kind Kind, int Length>
gradient_request<every_role<Name>, vec_view<T, Kind, Length>, true> accumulate(vec_view<T, Kind, Length> const& view) {
  return {view};
}
template <auto Leaf, class T, operand_kind Kind, int Length>
gradient_request<std::remove_cvref_t<decltype(Leaf)>, vec_view<T, Kind, Length>, true> accumulate(
    vec_view<T, Kind, Length> const& view) {
  return {view};
}

namespace detail {

template <class Target, class Leaf>
inline constexpr bool targets_whole_leaf = std::is_same_v<Target, Leaf>;
template <class Name, role Role>
inline constexpr bool targets_whole_leaf<every_role<Name>, leaf<Role, Name>> = true;
template <class Name>
inline constexpr bool targets_whole_leaf<every_role<Name>, random_leaf<Name>> = true;
/// Does a binding or request with this target speak of Leaf? Of components if of their vector.
template <class Target, class Leaf>
inline constexpr bool targets_leaf = targets_whole_leaf<Target, whole_leaf<Leaf>>;

/// Leaf: no component.
template <class Leaf, class... Items>
struct find_target {
  /// Position of the item that speaks of Leaf by itself, or else by name; -1 when none does.
  static consteval int find() {
    int by_name = -1;
    int exact = -1;
    int i = 0;
    ((exact = std::is_same_v<typename Items::target, Leaf> ? i : exact,
      by_name =
          targets_leaf<typename Items::target, Leaf> && !std::is_same_v<typename Items::target, Leaf> ? i : by_name,
      ++i),
     ...);
    return exact >= 0 ? exact : by_name;
  }
  static consteval int count_exact() { return (0 + ... + (std::is_same_v<typename Items::target, Leaf> ? 1 : 0)); }
  static consteval int count_by_name() {
    return (0 + ... +
            (targets_leaf<typename Items::target, Leaf> && !std::is_same_v<typename Items::target, Leaf> ? 1 : 0));
  }
};

template <class... Items>
struct pack_types;
template <class Leaf, class Set>
struct binding_of;
template <class Leaf, class... Binding>
struct binding_of<Leaf, binding_set<Binding...>> : find_target<Leaf, Binding...> {
  static constexpr int found = find_target<Leaf, Binding...>::find();
  static constexpr int index = found < 0 ? 0 : found;  // so that one sentence follows from one mistake
  static_assert(
      found >= 0 || !is_random_leaf<Leaf>,
      "bindings: the random numbers of a dropout are not bound; add bind<name>(random_numbers(&state, stream)) "
      "or bind<name>(no_dropout()) (its leaf is the first template argument of binding_of in this message)");
  static_assert(found >= 0 || is_random_leaf<Leaf>,
                "bindings: an operand of the program is not bound; add bind<name>(view) for it (its leaf is the first "
                "template argument of binding_of in this message)");
  static_assert(find_target<Leaf, Binding...>::count_exact() <= 1 &&
                    find_target<Leaf, Binding...>::count_by_name() <= 1,
                "bindings: an operand is bound twice (its leaf is the first template argument of binding_of in this "
                "message)");
};

/// A binding serves a leaf by itself, or by name where no binding of the set is of the leaf alone.
template <class Target, class L, class Set>
inline constexpr bool serves_leaf = false;
template <class Target, class L, class... Binding>
inline constexpr bool serves_leaf<Target, L, binding_set<Binding...>> =
    std::is_same_v<Target, whole_leaf<L>> ||
    (targets_leaf<Target, L> && find_target<whole_leaf<L>, Binding...>::count_exact() == 0);

/// Something reads each binding. One struct per binding, so that the compiler names the one that nothing reads.
template <class Target, class Leaves, class Set>
struct require_read;
template <class Target, class... Leaf, class... Binding>
struct require_read<Target, type_list<Leaf...>, binding_set<Binding...>> {
  static_assert((serves_leaf<Target, Leaf, binding_set<Binding...>> || ...),
                "bindings: an operand is bound that the program does not read (it is the first template argument of "
                "require_read in this message)");
  static constexpr bool ok = true;
};

/// The type of the view bound to Leaf.
template <class Leaf, class Set>
struct view_type_of;
template <class Leaf, class... Binding>
struct view_type_of<Leaf, binding_set<Binding...>> {
  using type = typename std::remove_cvref_t<decltype(get<binding_of<whole_leaf<Leaf>, binding_set<Binding...>>::index>(
      std::declval<pack<Binding...> const&>()))>::view_type;
};
template <class Leaf, class Set>
using view_bound_to = typename view_type_of<Leaf, Set>::type;

/// Vectors are read where sums take them apart.
template <class Leaf, class View>
struct require_vec_use {
  static_assert(
      vec_length<View> == 0 || is_component<Leaf>,
      "sum_over: an operand bound to small vectors (vec_per_row, vec_per_head) is read outside of sum_over, or "
      "is the whole message; its leaf is the first template argument of require_vec_use in this message");
  static_assert(vec_length<View> == 0 || !is_component<Leaf> || vec_length<View> == element_stride<Leaf>,
                "sum_over: an operand under sum_over<R> is bound to small vectors of another length than R; its leaf, "
                "component<name, index, R>, is the first template argument of require_vec_use in this message");
  static constexpr bool ok = true;
};

/// Random numbers are read by dropouts alone.
template <class Leaf, class View>
struct require_numbers_use {
  static constexpr bool has_numbers = is_random_view<View>;
  static_assert(
      has_numbers || !is_random_leaf<Leaf>,
      "bindings: the name of a dropout is bound to its random numbers, as in bind<drop>(random_numbers(&state))");
  static_assert(!has_numbers || is_random_leaf<Leaf>,
                "bindings: random numbers are bound to a name that the program reads as an operand; its leaf is the "
                "first template argument of require_numbers_use in this message");
  static constexpr bool ok = true;
};

/// What a matrix of `linear` is bound with, and where one by type may be.
template <class Leaf, class View>
struct require_matrix_use {
  static constexpr bool is_matrix = Leaf::role_of == role::matrix;
  static_assert(!is_matrix || (View::kind == operand_kind::wide && vec_length<View> == 0),
                "linear: its matrix is bound as wide(data, inputs, heads, channels) (expression/linear.hpp)");
  static_assert(!has_row_types<View> || !is_read_by_product<Leaf>,
                "along_edges: takes no matrix that is bound by_type; leave the option out (program/along_edges.hpp)");
  static_assert(!has_row_types<View> || is_matrix || is_read_by_product<Leaf>,
                "bindings: by_type binds the matrix of a linear<W>(x), and no other operand; a row for each type of "
                "edge is relation<r> (core/row_types.hpp)");
  static constexpr bool ok = true;
};

/// The bound leaves of a program's leaves under a set of bindings.
template <class Leaves, class Set>
struct operand_table;
template <class... Leaf, class... Binding>
struct operand_table<type_list<Leaf...>, binding_set<Binding...>> {
  static_assert((require_read<typename Binding::target, type_list<Leaf...>, binding_set<Binding...>>::ok && ...));
  template <class L>
  using view_of = view_bound_to<L, binding_set<Binding...>>;
  template <class L>
  static consteval auto find() {
    if constexpr (is_number_leaf<L>) {  // nothing is bound to it
      using number = std::conditional_t<(std::is_same_v<typename Binding::view_type, renumbered_random_view> || ...),
                                        std::int64_t, std::uint64_t>;
      return type_tag<bound_leaf<L, operand_kind::per_row, number const>>{};
    } else {
      using view = view_of<L>;
      static_assert(require_numbers_use<L, view>::ok && require_vec_use<L, view>::ok &&
                    require_matrix_use<L, view>::ok);
      return type_tag<bound_leaf<L, view::kind, std::remove_const_t<typename view::value_type> const>>{};
    }
  }
  using type = type_list<typename decltype(find<Leaf>())::type...>;
};

/// Operands by type go with graphs whose edges have types.
template <bool ReadsTypes, bool HasTypes>
struct require_types {
  static_assert(!ReadsTypes || HasTypes,
                "relation<...>: reads a row by the type of an edge, and the edges of this graph have none; build "
                "graph{csr, types} or graph{csr, csc, types} with to_typed_edges (format/typed_edges.hpp)");
  static constexpr bool ok = true;
};

/// The view bound to Leaf.
template <class Leaf, class... Binding>
auto const& view_for(binding_set<Binding...> const& set) {
  return get<binding_of<whole_leaf<Leaf>, binding_set<Binding...>>::index>(set.items).view;
}

template <int Unit>
std::string unit_name(type_tag<unit_value<Unit>>) {
  return "unit " + std::to_string(Unit);
}
/// How messages print a leaf: src<h>; a component as its vector; what another unit makes by the unit's number.
template <class Leaf>
std::string leaf_name() {
  if constexpr (is_unit_value<Leaf>::value) return unit_name(type_tag<typename Leaf::name>{});
  if constexpr (is_random_leaf<Leaf>) return "dropout<" + type_name<typename Leaf::name>() + ">";
  using user_leaf = typename leaf_of_user<whole_leaf<Leaf>>::type;  // of products along edges the operand
  constexpr role shown = user_leaf::role_of;
  char const* const role_text = shown == role::source        ? "src"
                                : shown == role::destination ? "dst"
                                : shown == role::edge        ? "edge"
                                : shown == role::relation    ? "relation"
                                : shown == role::matrix      ? "matrix"
                                                             : "param";
  return std::string(role_text) + "<" + type_name<typename user_leaf::name>() + ">";
}

}  // namespace detail
}  // namespace edgewise::inline v0
