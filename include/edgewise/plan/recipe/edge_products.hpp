// The recipe of a program whose dense products are formed edge by edge: operands as its passes read them.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <edgewise/core/vec.hpp>
#include <edgewise/plan/recipe/grouped_recipe.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/recipe/unit_types.hpp>
#include <edgewise/program/along_edges.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/components.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// Lists of the leaves of a program along edges, as users know them. All: those of its lowered program.
template <class All>
struct leaves_of_user;
template <class... Leaf>
struct leaves_of_user<type_list<Leaf...>> {
  using all = unique_types<type_list<typename leaf_of_user<Leaf>::type...>>;
  /// Does a product read an operand?
  template <class L>
  struct by_product
      : std::bool_constant<((is_read_by_product<Leaf> && std::is_same_v<typename leaf_of_user<Leaf>::type, L>) ||
                            ...)> {};
  template <class L>
  struct by_itself : std::bool_constant<(std::is_same_v<Leaf, L> || ...)> {};
  template <class L>
  struct by_both : std::bool_constant<by_product<L>::value && by_itself<L>::value> {};
};

/// A view as products read its rows, element by element, or the one number of each.
template <int Inputs, class T>
auto as_inputs(operand_view<T, operand_kind::wide> const& view) {
  return vec_view<T, operand_kind::per_row, Inputs>{view.data, view.rows, 1, 1, view.row_stride};
}
template <int Inputs, class T>
auto as_inputs(operand_view<T, operand_kind::per_row> const& view) {
  return view;
}
template <int Inputs, class View>
auto as_inputs(View const& view) {
  static_assert(sizeof(View) == 0,
                "along_edges: x is made of operands that are bound as wide, of so many elements a row, or as per_row "
                "(program/along_edges.hpp)");
  return view;
}
/// Row Row of a matrix, a parameter.
template <int Row, class T>
operand_view<T, operand_kind::wide> row_of_matrix(operand_view<T, operand_kind::wide> const& w) {
  std::int64_t const stride = w.rows > 1 ? w.row_stride : w.row_size();
  return {w.data == nullptr ? nullptr : w.data + Row * stride, 1, w.heads, w.channels, w.row_size()};
}
template <int Row, class View>
View row_of_matrix(View const& view) {
  static_assert(sizeof(View) == 0,
                "linear: its matrix is bound as wide(data, inputs, heads, channels) (expression/linear.hpp)");
  return view;
}
template <class Target>
struct input_target {
  using type = Target;
};
template <class Name>
struct input_target<every_role<Name>> {
  using type = every_role<input_row<Name>>;
};
template <role Role, class Name>
struct input_target<leaf<Role, Name>> {
  using type = leaf<Role, input_row<Name>>;
};

template <class Target>
struct name_of_target;
template <class Name>
struct name_of_target<every_role<Name>> {
  using type = Name;
};
template <role Role, class Name>
struct name_of_target<leaf<Role, Name>> {
  using type = Name;
};

/// Bindings and requests of a user as those of the program whose leaves are All.
template <class All, int Inputs>
struct input_conversion {
  using of_user = leaves_of_user<All>;
  using leaves = typename of_user::all;
  template <class Target, class L>
  static constexpr bool is_input = of_user::template by_product<L>::value&& targets_leaf<Target, L>;
  template <class Target, class... L>
  static consteval bool is_any_input(type_list<L...>) {
    return (is_input<Target, L> || ...);
  }
  template <class Target, class... L>
  static consteval bool is_any_matrix(type_list<L...>) {
    return ((L::role_of == role::matrix && is_input<Target, L>) || ...);
  }

  /// Does one binding serve a product at one role and something else at another, as a bind<h> of
  /// linear<W>(src<h>) and dst<h>?
  template <class Target, class... L>
  static consteval bool is_of_both(type_list<L...>) {
    return (is_input<Target, L> || ...) && ((targets_leaf<Target, L> && of_user::template by_itself<L>::value) || ...);
  }

  template <class... Binding>
  static consteval bool binds_for_both(type_list<binding_set<Binding...>>) {
    return (is_of_both<typename Binding::target>(leaves{}) || ...);
  }

  template <class Target, class View>
  static auto convert(binding<Target, View> const& b) {
    if constexpr (is_any_matrix<Target>(leaves{})) {
      using name = typename name_of_target<Target>::type;
      return []<int... Row>(View const& w, std::integer_sequence<int, Row...>) {
        return std::tuple{bind<matrix_row<name, Row>>(row_of_matrix<Row>(w))...};
      }
      (b.view, std::make_integer_sequence<int, Inputs>{});
    } else if constexpr (is_any_input<Target>(leaves{})) {
      auto const view = as_inputs<Inputs>(b.view);
      return std::tuple{binding<typename input_target<Target>::type, std::remove_const_t<decltype(view)>>{view}};
    } else {
      return std::tuple{b};
    }
  }
  template <class Target, class View, bool Adds>
  static auto convert(gradient_request<Target, View, Adds> const& r) {
    if constexpr (is_any_matrix<Target>(leaves{})) {
      using name = typename name_of_target<Target>::type;
      return []<int... Row>(View const& w, std::integer_sequence<int, Row...>) {
        return std::tuple{gradient_request<every_role<matrix_row<name, Row>>, View, Adds>{row_of_matrix<Row>(w)}...};
      }
      (r.view, std::make_integer_sequence<int, Inputs>{});
    } else if constexpr (is_any_input<Target>(leaves{})) {
      auto const view = as_inputs<Inputs>(r.view);
      return std::tuple{
          gradient_request<typename input_target<Target>::type, std::remove_const_t<decltype(view)>, Adds>{view}};
    } else {
      return std::tuple{r};
    }
  }
  template <class... Binding>
  static auto convert_all(binding_set<Binding...> const& in) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::apply([](auto const&... b) { return bindings(b...); }, std::tuple_cat(convert(get<I>(in.items))...));
    }
    (std::make_integer_sequence<int, sizeof...(Binding)>{});
  }
};

/// Lowered: the program with its products as sums over elements.
template <class Exec, class Graph, class Mapping, class Lowered, int Inputs, class Bindings, class Sums>
class edge_products : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using conversion = input_conversion<filter_types<is_no_unit_value, typename program_leaves<Lowered>::type>, Inputs>;
  using of_user = typename conversion::of_user;

public:
  using leaves = typename of_user::all;

private:
  static_assert(
      filter_types<of_user::template by_both, leaves>::size == 0 &&
          !conversion::binds_for_both(type_list<std::remove_cvref_t<Bindings>>{}),
      "along_edges: an operand is read by a product and by itself; leave the option out, or bind it under two "
      "names (program/along_edges.hpp)");
  using inner_bindings = decltype(conversion::convert_all(std::declval<Bindings const&>()));
  using program = std::remove_cvref_t<decltype(with_components_of(std::declval<Lowered const&>(),
                                                                  std::declval<inner_bindings const&>()))>;
  using inner_type = typename grouped_recipe<Exec, Graph, Mapping, program, inner_bindings, any_extents, Sums>::type;

public:
  using accumulator = typename inner_type::accumulator;
  using saved_type = typename inner_type::saved_type;
  using policy_type = typename inner_type::policy_type;
  static constexpr operand_kind out_kind = inner_type::out_kind;
  static constexpr int num_parts = inner_type::num_parts;
  static constexpr char const* out_rows_are = inner_type::out_rows_are;

  edge_products(Graph const& graph, program_along_edges<Lowered, Inputs> const& p, Bindings const& in, sizing size)
      : base(graph, {}, size),
        inner_(graph, with_components_of(p.lowered, checked_inputs(in)), checked_inputs(in), size) {}

  template <class... How>
  void make(Exec const& exec, Bindings const& in, How const&... how) {
    inner_.make(exec, conversion::convert_all(in), how...);
  }
  void rebuild(Exec const& exec, Graph const& graph) {
    this->take(graph);
    inner_.rebuild(exec, graph);
  }
  static void check_graph(Graph const& graph) { inner_type::check_graph(graph); }
  void check_shapes(Bindings const& in) const {
    auto const own = checked_inputs(in);
    if constexpr (requires { inner_.check_shapes(own); }) {
      inner_.check_shapes(own);
    } else {
      check_extents<typename inner_type::leaves>(own, inner_.extents(), this->counts());
    }
  }

  decltype(auto) policy() const { return inner_.policy(); }
  std::size_t workspace_bytes() const { return inner_.workspace_bytes(); }
  saved_type saved(Exec const& exec, shared_mark const& mark) const { return inner_.saved(exec, mark); }
  std::string explain() const {
    constexpr bool has_one = filter_types<of_user::template by_product, leaves>::size > 0;
    return (has_one ? joined("products of ", Inputs, " inputs along edges, their matrices in registers\n") : "") +
           inner_.explain();
  }
  template <class F>
  auto with_cost(F const& f) const {
    return inner_.with_cost(f);
  }

  row_extents extents() const { return inner_.extents(); }
  std::int64_t out_rows() const { return inner_.out_rows(); }
  row_extents out_extents() const { return inner_.out_extents(); }
  template <class View>
  auto with_parts(View const& view) const {
    return inner_.with_parts(view);
  }
  template <class View>
  void check_out_apart(View const& view, Bindings const& in) const {
    check_not_operand<leaves, writes::at_once>(view, in);
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    inner_.forward(exec, conversion::convert_all(in), view, saved);
  }
  template <class Storage>
  using attention = typename inner_type::template attention<Storage>;
  template <class View>
  void attention_weights(Exec const& exec, Bindings const& in, saved_type const& saved, View const& weights) const {
    inner_.attention_weights(exec, conversion::convert_all(in), saved, weights);
  }

  template <class GradView, class Requests>
  struct inner_gradients;
  template <class GradView, class... Request>
  struct inner_gradients<GradView, std::tuple<Request...>> {
    static constexpr bool ok = inner_type::template require_gradients<GradView, Request...>::ok;
  };
  template <class GradView, class... Request>
  struct require_gradients {
    template <class R>
    static constexpr bool is_read = targets_any<typename R::target, leaves>;
    static_assert((require_gradient_target<typename Request::target, is_read<Request>>::ok && ...));
    static constexpr bool ok =
        inner_gradients<GradView, decltype(std::tuple_cat(conversion::convert(std::declval<Request const&>())...))>::ok;
  };
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    std::apply([&](auto const&... own) { inner_.backward(exec, conversion::convert_all(in), saved, adjoint, own...); },
               std::tuple_cat(conversion::convert(requests)...));
  }

private:
  /// The operands as the passes read them, whose rows have the elements that the program was compiled for.
  static inner_bindings checked_inputs(Bindings const& in) {
    [&]<class... L>(type_list<L...>) { (check_input<L>(in), ...); }(leaves{});
    return conversion::convert_all(in);
  }
  template <class L>
  static void check_input(Bindings const& in) {
    if constexpr (of_user::template by_product<L>::value) {
      auto const& view = view_for<L>(in);
      constexpr bool is_matrix = L::role_of == role::matrix;
      std::int64_t const found = is_matrix ? view.rows : view.row_size();
      bool const is_number = !is_matrix && std::remove_cvref_t<decltype(view)>::kind == operand_kind::per_row;
      if (found != Inputs && !is_number) {
        throw invalid_argument(text(leaf_name<L>, ": has ", found, is_matrix ? " rows" : " elements a row",
                                    ", the program was fused along_edges<", Inputs, ">"));
      }
      if (is_matrix) check_view(view, Inputs, nullptr, leaf_name<L>);
    }
  }

  inner_type inner_;
};

}  // namespace edgewise::inline v0::detail
