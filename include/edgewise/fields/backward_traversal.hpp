// The traversals of a backward pass as types: which program they run, over which operands, towards which gradients.
#pragma once

#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/stash.hpp>

namespace edgewise::inline v0::detail {

/// The traversal grouped by Fixed of the backward pass of Traits' program. Plan: which gradients are asked for; Table:
/// what both traversals may read. Where the traversals hand over, the one by destination has what it leaves among its
/// targets, the one by source has it among its operands.
template <class Traits, class Plan, class Table, role Fixed>
struct backward_traversal {
  using T = typename Traits::accumulator;
  using own_program = backward_program_of<typename Traits::program_type>;
  static constexpr bool hands_over =
      Traits::may_hand_over &&
      detail::hands_over<own_program, handing_of<typename Traits::program_type>, Table, Plan>();
  static constexpr bool reads_handed = hands_over && Fixed == role::source;
  static constexpr bool leaves_handed = hands_over && Fixed == role::destination;

  using plan_targets = typename Plan::template targets<Fixed>;
  using targets = concat_types<plan_targets,
                               std::conditional_t<leaves_handed, typename Traits::template handed_as<T>, type_list<>>>;
  using table =
      concat_types<Table, std::conditional_t<reads_handed, typename Traits::template handed_as<T const>, type_list<>>>;

  static constexpr auto program_of(typename Traits::program_type const& program) {
    if constexpr (reads_handed) {
      return handed_program(backward_program(program));
    } else {
      return backward_program(program);
    }
  }
  using program = decltype(program_of(std::declval<typename Traits::program_type const&>()));
  using pass = backward_pass<program, table, targets, Fixed, typename Traits::offset_type, T>;
};

}  // namespace edgewise::inline v0::detail
