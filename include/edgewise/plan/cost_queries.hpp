// What the calls of a plan cost, asked with the arguments that the calls take.
#pragma once

#include <type_traits>

#include <edgewise/core/type_list.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/plan/saved_state.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

/// A base of Plan, whose recipe calls f(cost) for its `program_cost`.
template <class Plan>
class cost_queries {
public:
  /// What the call with these arguments costs at least, launch by launch.
  template <class OutView>
  plan_cost forward_cost(output<OutView> const&) const {
    return with_cost([](auto const& cost) { return cost.template forward<typename OutView::value_type>(false); });
  }
  template <class OutView, class Saved>
  plan_cost forward_cost(output<OutView> const&, Saved const&) const {
    return with_cost([](auto const& cost) { return cost.template forward<typename OutView::value_type>(true); });
  }
  template <class GradView, class... Request>
  plan_cost backward_cost(output_gradient<GradView> const&, Request const&...) const {
    using element = std::remove_const_t<typename GradView::value_type>;
    return with_cost([](auto const& cost) { return cost.template backward<element>(type_list<Request...>{}); });
  }

private:
  template <class F>
  plan_cost with_cost(F const& f) const {
    return static_cast<Plan const&>(*this).recipe().with_cost(f);
  }
};

}  // namespace edgewise::inline v0::detail
