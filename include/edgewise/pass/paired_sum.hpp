// The one sum over channels of an expression, and another beside it, taken together: threads exchange parts of both in
// the same steps, where one sum's would wait for the other's.
#pragma once

#include <edgewise/expression/expression.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// The sums over channels within E, one for each occurrence.
template <class E>
struct channel_sums;
template <class List>
struct channel_sums_within;
template <class... E>
struct channel_sums_within<type_list<E...>> {
  using type = concat_types<type_list<>, typename channel_sums<E>::type...>;
};
template <class E>
struct channel_sums : channel_sums_within<typename argument_list<E>::type> {};
template <class E>
requires(is_channel_sum<E>::value && !is_stored<E>) struct channel_sums<E> {
  using type = concat_types<type_list<E>, typename channel_sums_within<typename E::arguments>::type>;
};

/// Is E hoisted, and with it sums over channels?
template <class Env>
struct holds_sums {
  template <class E>
  struct test : std::bool_constant<is_hoisted<E, Env>() && channel_sums<E>::type::size != 0> {};
};

/// Does evaluating E in Env take one sum over channels, and no more?
template <class E, class Env, class Sums = typename channel_sums<E>::type>
inline constexpr bool takes_one_sum = false;
template <class E, class Env, class Sum>
inline constexpr bool takes_one_sum<E, Env, type_list<Sum>> = is_read<Sum, Env>() &&
                                                              !any_node<holds_sums<Env>::template test, E>::value;

/// For an expression that takes one sum over channels: takes that of `partial` with it, and leaves it in `whole`. The
/// same bits as one after the other, in less time (docs/tuning.md, R39).
template <class Base, class Partial, class Whole>
struct joining_environment {
  static_assert(Partial::extent_of == extent::narrow_partial);  // what is whole is no sum over threads
  using geometry = typename Base::geometry;
  using accumulator = typename Base::accumulator;
  using held = typename Base::held;
  using read = typename Base::read;

  geometry const& geo;
  Base const& base;
  Partial const& partial;
  Whole& whole;

  template <class Leaf>
  EDGEWISE_HD auto const& leaf_value() const {
    return base.template leaf_value<Leaf>();
  }
  template <class T, int B, int C, int L>
  EDGEWISE_HD auto complete_together(register_value<T, extent::narrow_partial, B, C, L> const& own) const {
    register_value<T, extent::narrow, B, C, L> result;
    register_value<T, extent::narrow, B + Whole::edges, C, L> both;
    for_each_entry<decltype(result)>(geo, [&](int b, int c, int) { both.at(b, c, 0) = own.at(b, c, 0); });
    for_each_entry<Whole>(geo, [&](int b, int c, int) { both.at(B + b, c, 0) = partial.at(b, c, 0); });
    geo.sum_heads_in_place(both);
    for_each_entry<decltype(result)>(geo, [&](int b, int c, int) { result.at(b, c, 0) = both.at(b, c, 0); });
    for_each_entry<Whole>(geo, [&](int b, int c, int) { whole.at(b, c, 0) = both.at(B + b, c, 0); });
    return result;
  }
};

}  // namespace edgewise::inline v0::detail
