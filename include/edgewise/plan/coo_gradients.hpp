// Which gradients the one backward traversal over ungrouped edges forms, and which tensors are cleared before it.
#pragma once

#include <edgewise/pass/coo_backward_pass.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/gradient_pointer.hpp>

namespace edgewise::inline v0::detail {

/// The counterpart of `gradient_plan` where one traversal gives every gradient. A tensor asked for in both roles is
/// cleared once and added to by both.
template <class Program, class Table, class... Request>
struct coo_gradients {
  using plan_type = gradient_plan<Program, Table, Request...>;
  using target_leaves = filter_types<plan_type::template requested, typename Program::leaves>;
  using targets = typename plan_type::template target_table<target_leaves>::type;

  template <class L>
  struct scattered : is_scattered<L, typename Program::leaves> {};
  template <class L>
  struct outside_parameters : std::bool_constant<L::role_of != role::parameter> {};
  using scattered_leaves = filter_types<scattered, target_leaves>;
  using edge_and_vertex_leaves = filter_types<outside_parameters, target_leaves>;

  /// Must the tensor of a request be zero before the traversal adds to it?
  template <class R>
  static constexpr bool clears = !R::accumulates && plan_type::template touches<R, scattered_leaves>::value;

  /// Sets where gradients go; returns the longest chunk that all of them allow. Parameters are stored after the
  /// traversal, so they add to what it left in the same tensor.
  static int fill(gradient_pointers<targets>& pointers, Request const&... requests) {
    int const chunk = plan_type::template fill_gradients<stage::vertex, targets>(pointers, requests...);
    [&]<class... Bound>(type_list<Bound...>) {
      ((pointers.template of<Bound>().accumulate |= shares_tensor<Bound>), ...);
    }(bound_in_role<role::parameter, targets>{});
    return chunk;
  }

private:
  template <class Bound>
  static constexpr bool shares_tensor = ((targets_leaf<typename Request::target, typename Bound::leaf> &&
                                          plan_type::template touches<Request, edge_and_vertex_leaves>::value) ||
                                         ...);
};

}  // namespace edgewise::inline v0::detail
