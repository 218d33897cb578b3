// What the passes of a chain of units cost.
#pragma once

#include <type_traits>

#include <edgewise/core/size.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/plan/recipe/unit_types.hpp>

namespace edgewise::inline v0::detail {

/// What the passes of a chain cost: those of its units.
template <class Chain>
struct unit_chain_cost {
  Chain const& chain;

  struct all_gradients {};
  using every_gradient = all_gradients;
  using default_output = typename Chain::accumulator;

  template <class Out>
  plan_cost forward(bool saves) const {
    plan_cost all;
    chain.for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      using stored = std::conditional_t<K == Chain::types::num_values, Out, typename Chain::accumulator>;
      append(all, recipe.with_cost([&](auto const& cost) { return cost.template forward<stored>(saves); }));
    });
    return all;
  }
  template <class Out>
  plan_cost backward(all_gradients) const {
    plan_cost all;
    chain.for_each_unit([&](auto, auto const& recipe) {
      append(all, recipe.with_cost([&]<class Cost>(Cost const& cost) {
        return cost.template backward<typename Cost::default_output>(typename Cost::every_gradient{});
      }));
    });
    return all;
  }
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    plan_cost all;
    chain.for_each_unit([&]<int K>(index_constant<K>, auto const& recipe) {
      using stored = std::conditional_t<K == Chain::types::num_values, Out, typename Chain::accumulator>;
      if constexpr (Chain::types::template is_wanted<K, Request...>()) {
        using own = typename Chain::types::template requests_of<K, Request...>;
        append(all, recipe.with_cost([&](auto const& cost) { return cost.template backward<stored>(own{}); }));
      }
    });
    return all;
  }

private:
  static void append(plan_cost& all, plan_cost const& more) {
    all.traversals.insert(all.traversals.end(), more.traversals.begin(), more.traversals.end());
  }
};

}  // namespace edgewise::inline v0::detail
