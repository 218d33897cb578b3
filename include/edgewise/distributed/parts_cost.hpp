// What passes over a part cost, and what they send.
#pragma once

#include <cstdint>

#include <edgewise/cost/cost.hpp>

namespace edgewise::inline v0 {

/// Bytes that a rank sends to others: in a forward pass, and in a backward pass for all gradients.
struct sent_bytes {
  std::int64_t forward = 0;
  std::int64_t backward = 0;
};

namespace detail {

/// The launches of the interior, then those of the boundary. Packing and messages are not counted.
template <class Recipe>
struct parts_cost {
  Recipe const& interior;
  Recipe const& boundary;

  struct all_gradients {};
  using every_gradient = all_gradients;
  using default_output = typename Recipe::accumulator;

  template <class Out>
  plan_cost forward(bool saves) const {
    return of_both([&](auto const& cost) { return cost.template forward<Out>(saves); });
  }
  template <class Out>
  plan_cost backward(all_gradients) const {
    return of_both(
        []<class Cost>(Cost const& cost) { return cost.template backward<Out>(typename Cost::every_gradient{}); });
  }
  template <class Out, class Requests>
  plan_cost backward(Requests requests) const {
    return of_both([&](auto const& cost) { return cost.template backward<Out>(requests); });
  }

private:
  template <class F>
  plan_cost of_both(F const& f) const {
    plan_cost all = interior.with_cost(f);
    plan_cost const more = boundary.with_cost(f);
    all.traversals.insert(all.traversals.end(), more.traversals.begin(), more.traversals.end());
    return all;
  }
};

}  // namespace detail
}  // namespace edgewise::inline v0
