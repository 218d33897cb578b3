// Which of a user's bindings a unit reads, and where values between units lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/extents.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/shared_units.hpp>
#include <edgewise/program/units.hpp>

namespace edgewise::inline v0::detail {

template <class... Binding>
binding_set<Binding...> set_of(pack<Binding...> const& items) {
  return {items};
}
template <class... A, class... B>
auto join_bindings(binding_set<A...> const& a, binding_set<B...> const& b) {
  return set_of(join_packs(a.items, b.items));
}
template <class Target, class Leaves, class Set>
inline constexpr bool serves_any = false;
template <class Target, class... Leaf, class Set>
inline constexpr bool serves_any<Target, type_list<Leaf...>, Set> = (serves_leaf<Target, Leaf, Set> || ...);
template <class Target, class Leaves>
inline constexpr bool targets_any = false;
template <class Target, class... Leaf>
inline constexpr bool targets_any<Target, type_list<Leaf...>> = (targets_leaf<Target, Leaf> || ...);
/// The bindings from position I on that serve some leaf of Leaves.
template <class Leaves, int I = 0, class... Binding>
auto bindings_of(binding_set<Binding...> const& in) {
  if constexpr (I == sizeof...(Binding)) {
    return binding_set<>{};
  } else {
    using here = type_at<I, type_list<Binding...>>;
    if constexpr (serves_any<typename here::target, Leaves, binding_set<Binding...>>) {
      return join_bindings(set_of(make_pack(get<I>(in.items))), bindings_of<Leaves, I + 1>(in));
    } else {
      return bindings_of<Leaves, I + 1>(in);
    }
  }
}

/// A binding as a program of vertices whose rows are sources takes it.
template <class Target, class View>
auto bound_as_rows(binding<Target, View> const& b) {
  return binding<typename as_destination<Target>::type, View>{b.view};
}
template <class... Binding>
auto bindings_as_rows(binding_set<Binding...> const& in) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return bindings(bound_as_rows(get<I>(in.items))...); }
  (std::make_integer_sequence<int, sizeof...(Binding)>{});
}

/// Where the values of units, or their gradients, lie, and their shapes.
template <class T>
struct unit_array {
  T* data = nullptr;
  std::int64_t rows = 0;
  row_extents extents{};

  template <operand_kind Kind, class S = T>
  operand_view<S, Kind> view() const {
    return {data, rows, kind_has_heads(Kind) ? extents.heads : 1, kind_has_channels(Kind) ? extents.channels : 1,
            elements_of_kind(Kind, extents)};
  }
  /// Elements of the array.
  std::int64_t elements(operand_kind kind) const {
    return static_cast<std::int64_t>(padded_elements(static_cast<std::size_t>(rows), elements_of_kind(kind, extents)));
  }
};

}  // namespace edgewise::inline v0::detail
