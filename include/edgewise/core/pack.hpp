// A tuple usable in device code without compiler flags (std::tuple's accessors are host-only constexpr functions).
#pragma once

#include <utility>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <int I, class T>
struct pack_element {
  [[no_unique_address]] T value;
};

template <class Sequence, class... T>
struct pack_base;
template <int... I, class... T>
struct pack_base<std::integer_sequence<int, I...>, T...> : pack_element<I, T>... {};

template <int I, class T>
EDGEWISE_HD constexpr T const& pack_get(pack_element<I, T> const& element) {
  return element.value;
}
template <int I, class T>
EDGEWISE_HD constexpr T& pack_get(pack_element<I, T>& element) {
  return element.value;
}

}  // namespace detail

/// An aggregate of values reached by position: `pack<A, B>{{a}, {b}}`, `get<0>(p)`. Empty types take no room.
template <class... T>
struct pack : detail::pack_base<std::make_integer_sequence<int, sizeof...(T)>, T...> {
  static constexpr int size = sizeof...(T);
};

/// The value at position I, counted from 0.
template <int I, class... T>
EDGEWISE_HD constexpr auto const& get(pack<T...> const& p) {
  return detail::pack_get<I>(p);
}
template <int I, class... T>
EDGEWISE_HD constexpr auto& get(pack<T...>& p) {
  return detail::pack_get<I>(p);
}

/// Builds a pack from values.
template <class... T>
EDGEWISE_HD constexpr pack<T...> make_pack(T const&... values) {
  return pack<T...>{{{values}...}};
}

/// An index known at compile time, for generic loops over packs.
template <int I>
struct index_constant {
  static constexpr int value = I;
  EDGEWISE_HD constexpr operator int() const { return I; }
};

namespace detail {
template <class F, int... I>
EDGEWISE_HD constexpr void for_each_index_impl(F&& f, std::integer_sequence<int, I...>) {
  (f(index_constant<I>{}), ...);
}
}  // namespace detail

/// Calls `f(index_constant<0>{})`, ..., `f(index_constant<N - 1>{})`; for host-only f: `for_each_index_on_host`.
template <int N, class F>
EDGEWISE_HD constexpr void for_each_index(F&& f) {
  detail::for_each_index_impl(static_cast<F&&>(f), std::make_integer_sequence<int, N>{});
}

namespace detail {
template <class F, int... I>
constexpr void for_each_index_on_host_impl(F const& f, std::integer_sequence<int, I...>) {
  (f(index_constant<I>{}), ...);
}
}  // namespace detail

/// `for_each_index` for an f that runs on the host alone.
template <int N, class F>
constexpr void for_each_index_on_host(F const& f) {
  detail::for_each_index_on_host_impl(f, std::make_integer_sequence<int, N>{});
}

namespace detail {

template <class... A, class... B, int... I, int... J>
constexpr auto join_packs_impl(pack<A...> const& a, pack<B...> const& b, std::integer_sequence<int, I...>,
                               std::integer_sequence<int, J...>) {
  return pack<A..., B...>{{{get<I>(a)}..., {get<J>(b)}...}};
}
template <class... A, class... B>
constexpr auto join_packs(pack<A...> const& a, pack<B...> const& b) {
  return join_packs_impl(a, b, std::make_integer_sequence<int, sizeof...(A)>{},
                         std::make_integer_sequence<int, sizeof...(B)>{});
}

}  // namespace detail

}  // namespace edgewise::inline v0
