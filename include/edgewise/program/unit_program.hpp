// A lowered program of several units.
#pragma once

#include <edgewise/core/pack.hpp>
#include <edgewise/core/type_list.hpp>

namespace edgewise::inline v0::detail {

/// A program of several traversals, a unit each: lowered programs, the last one of which makes the output. Unit K reads
/// values of earlier units as `leaf<role, unit_value<J>>`.
template <class... Unit>
struct unit_program {
  using unit_types = type_list<Unit...>;
  static constexpr int num_units = sizeof...(Unit);
  pack<Unit...> units;
};
template <class Program>
inline constexpr bool is_unit_program = false;
template <class... Unit>
inline constexpr bool is_unit_program<unit_program<Unit...>> = true;

}  // namespace edgewise::inline v0::detail
