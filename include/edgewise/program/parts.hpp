// The parts of expressions, aggregations and programs by type: what lies below, and where it is in the object.
#pragma once

#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0::detail {

/// The expressions right below E, of programs their aggregations and what else they hold; `at<I>(e)` is one of them.
template <class E>
struct parts {
  using types = typename argument_list<E>::type;
  template <int I>
  EDGEWISE_HD static auto const& at(E const& e) {
    return e.template argument<I>();
  }
};
template <class Aggregation>
struct parts<edge_program<Aggregation>> {
  using types = type_list<Aggregation>;
  template <int>
  EDGEWISE_HD static Aggregation const& at(edge_program<Aggregation> const& program) {
    return get<0>(program.aggregations);
  }
};
template <class E, class... U, class... S>
struct parts<lowered_program<E, type_list<U...>, type_list<S...>>> {
  using program = lowered_program<E, type_list<U...>, type_list<S...>>;
  using types = type_list<U..., S..., E>;
  template <int I>
  EDGEWISE_HD static auto const& at(program const& p) {
    constexpr int num_aggregations = sizeof...(U);
    if constexpr (I < num_aggregations) {
      return get<I>(p.aggregations);
    } else if constexpr (I < 2 * num_aggregations) {
      return get<I - num_aggregations>(p.selves);
    } else {
      return p.epilogue;
    }
  }
};

template <class E, class Root>
consteval bool has_part();
template <class E, class... Part>
consteval int index_of_part(type_list<Part...>) {
  int found = -1;
  int i = 0;
  ((found = found < 0 && has_part<E, Part>() ? i : found, ++i), ...);
  return found;
}
/// Is E the root or somewhere below it?
template <class E, class Root>
consteval bool has_part() {
  return std::is_same_v<E, Root> || index_of_part<E>(typename parts<Root>::types{}) >= 0;
}

/// The first E in the root.
template <class E, class Root>
EDGEWISE_HD E const& find_part(Root const& root) {
  if constexpr (std::is_same_v<E, Root>) {
    return root;
  } else {
    constexpr int next = index_of_part<E>(typename parts<Root>::types{});
    static_assert(next >= 0, "find_part: the program has no such expression");
    return find_part<E>(parts<Root>::template at<next>(root));
  }
}

}  // namespace edgewise::inline v0::detail
