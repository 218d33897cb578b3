// The states of a row's channels in vector registers of the host, for gathers that take lanes.
#pragma once

#include <type_traits>

#include <edgewise/core/lanes.hpp>
#include <edgewise/core/pack.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// The one or two fields of a lanewise gather's state, in their order: one number, or what the gather says.
template <class Gather, class T, class Offset>
struct lane_fields {
  using type = type_list<T>;
};
template <class Gather, class T, class Offset>
requires requires { typename Gather::template fields<T, Offset>; }
struct lane_fields<Gather, T, Offset> {
  using type = typename Gather::template fields<T, Offset>;
};
/// Do as many of each field fill a vector register?
template <class T, class... Field>
constexpr bool have_size_of(type_list<Field...>) {
  return ((sizeof(Field) == sizeof(T)) && ...);
}

/// A register value for each field of the states. Where offsets are among the fields, the gather is given them as
/// lanes.
template <class Gather, class Offset, class Fields, extent E, int Chunks, int Channels>
struct lane_states;
template <class Gather, class Offset, class... Field, extent E, int Chunks, int Channels>
struct lane_states<Gather, Offset, type_list<Field...>, E, Chunks, Channels> {
  using T = type_at<0, type_list<Field...>>;
  static constexpr int num_fields = static_cast<int>(sizeof...(Field));
  static_assert(num_fields == 1 || num_fields == 2);
  template <class F>
  using value_of = register_value<F, E, 1, Chunks, Channels>;
  using value_type = value_of<T>;
  template <class F>
  using group_of = typename value_of<F>::chunk_type::group_type;
  using offset_type = typename std::conditional_t<(num_fields > 1), std::type_identity<group_of<Offset>>,
                                                  std::type_identity<Offset>>::type;
  using state_type = typename Gather::template state<group_of<T>, offset_type>;

  pack<value_of<Field>...> fields;

  template <class Geometry>
  EDGEWISE_HD void start(Geometry const& geo) {
    if constexpr (num_fields == 1) {
      auto const [first] = Gather::template identity<T, Offset>();
      fill(geo, get<0>(fields), first);
    } else {
      auto const [first, second] = Gather::template identity<T, Offset>();
      fill(geo, get<0>(fields), first);
      fill(geo, get<1>(fields), second);
    }
  }
  EDGEWISE_HD state_type at(int c, lane_group l) const {
    if constexpr (num_fields == 1) {
      return {get<0>(fields).at(0, c, l)};
    } else {
      return {get<0>(fields).at(0, c, l), get<1>(fields).at(0, c, l)};
    }
  }
  EDGEWISE_HD void set(int c, lane_group l, state_type const& state) {
    if constexpr (num_fields == 1) {
      auto const& [first] = state;
      get<0>(fields).at(0, c, l) = first;
    } else {
      auto const& [first, second] = state;
      get<0>(fields).at(0, c, l) = first;
      get<1>(fields).at(0, c, l) = second;
    }
  }
  EDGEWISE_HD static offset_type spread_offset(Offset x) { return spread<offset_type>(x); }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    for_each_index<num_fields>([&](auto i) { f(get<decltype(i)::value>(fields)); });
  }
  /// A register value of what f gives for each state.
  template <class R, class Geometry, class F>
  EDGEWISE_HD value_of<R> map_states(Geometry const& geo, F const& f) const {
    value_of<R> result;
    for_each_lanes<value_type>(
        geo, [&](int, int c, lane_group l) EDGEWISE_INLINE_LAMBDA { result.at(0, c, l) = f(at(c, l)); });
    return result;
  }
};

}  // namespace edgewise::inline v0::detail
