// Lists of types and the few set operations that programs need: which leaves does a message have, which are asked for.
#pragma once

#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// A list of types.
template <class... T>
struct type_list {
  static constexpr int size = sizeof...(T);
};

namespace detail {

template <class T, class List>
struct contains_impl;
template <class T, class... U>
struct contains_impl<T, type_list<U...>> : std::bool_constant<(std::is_same_v<T, U> || ...)> {};

template <class... Lists>
struct concat_impl {
  using type = type_list<>;
};
template <class... T>
struct concat_impl<type_list<T...>> {
  using type = type_list<T...>;
};
template <class... T, class... U, class... Rest>
struct concat_impl<type_list<T...>, type_list<U...>, Rest...> : concat_impl<type_list<T..., U...>, Rest...> {};

template <class Done, class List>
struct unique_impl;
template <class... D>
struct unique_impl<type_list<D...>, type_list<>> {
  using type = type_list<D...>;
};
template <class... D, class T, class... Rest>
struct unique_impl<type_list<D...>, type_list<T, Rest...>>
    : unique_impl<std::conditional_t<contains_impl<T, type_list<D...>>::value, type_list<D...>, type_list<D..., T>>,
                  type_list<Rest...>> {};

template <template <class> class Keep, class List>
struct filter_impl;
template <template <class> class Keep, class... T>
struct filter_impl<Keep, type_list<T...>> {
  using type =
      typename concat_impl<type_list<>, std::conditional_t<Keep<T>::value, type_list<T>, type_list<>>...>::type;
};

template <class T, class List>
struct index_of_impl;
template <class T, class... Rest>
struct index_of_impl<T, type_list<T, Rest...>> : std::integral_constant<int, 0> {};
template <class T, class U, class... Rest>
struct index_of_impl<T, type_list<U, Rest...>>
    : std::integral_constant<int, 1 + index_of_impl<T, type_list<Rest...>>::value> {};

template <int Position, class List>
struct type_at_impl;
template <class T, class... Rest>
struct type_at_impl<0, type_list<T, Rest...>> {
  using type = T;
};
template <int Position, class T, class... Rest>
struct type_at_impl<Position, type_list<T, Rest...>> : type_at_impl<Position - 1, type_list<Rest...>> {};

}  // namespace detail

/// Is T in the list?
template <class T, class List>
inline constexpr bool contains_type = detail::contains_impl<T, List>::value;

/// The concatenation of lists.
template <class... Lists>
using concat_types = typename detail::concat_impl<type_list<>, Lists...>::type;

/// The list without repetitions, first occurrences kept in order.
template <class List>
using unique_types = typename detail::unique_impl<type_list<>, List>::type;

/// The types T of the list for which `Keep<T>::value` holds.
template <template <class> class Keep, class List>
using filter_types = typename detail::filter_impl<Keep, List>::type;

/// Position of the first T in the list; a compile error when there is none.
template <class T, class List>
inline constexpr int index_of_type = detail::index_of_impl<T, List>::value;

/// The type at a position of a list.
template <int Position, class List>
using type_at = typename detail::type_at_impl<Position, List>::type;

/// Carries a type as a value.
template <class T>
struct type_tag {
  using type = T;
};

}  // namespace edgewise::inline v0
