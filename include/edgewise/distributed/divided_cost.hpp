// What passes over a part cost, and what they send.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <edgewise/core/type_list.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/cost/program_cost.hpp>
#include <edgewise/distributed/part_programs.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0 {

/// Bytes that a rank sends to others: in a forward pass, and in a backward pass for all gradients.
struct sent_bytes {
  std::int64_t forward = 0;
  std::int64_t backward = 0;
};

namespace detail {

/// The launches of the local piece, then those of the remote one. Packing and messages are not counted. LocalLeaves:
/// what the local piece reads.
template <class Local, class Remote, class LocalLeaves, class Programs>
struct divided_cost {
  Local const& local;
  Remote const& remote;

  struct all_gradients {};
  using every_gradient = all_gradients;
  using default_output = typename Remote::accumulator;

  template <class Out>
  plan_cost forward(bool saves) const {
    return of_both<local_stored<Out>, Out>(
        [&]<class Stored>(type_tag<Stored>, auto const& cost) { return cost.template forward<Stored>(saves); });
  }
  template <class Out>
  plan_cost backward(all_gradients) const {
    return of_both<local_adjoint<Out>, Out>([]<class Stored, class Cost>(type_tag<Stored>, Cost const& cost) {
      return cost.template backward<Stored>(filter_types<is_formed, typename Cost::every_gradient>{});
    });
  }
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...> requests) const {
    if constexpr (Programs::shares_rows) {
      using of_local = filter_types<is_of_local, type_list<Request...>>;
      using of_value = std::conditional_t<(of_local::size > 0 && !Programs::hands_adjoint),
                                          type_list<assumed_request<own_value_leaf, sum_type>>, type_list<>>;
      plan_cost all;
      if constexpr (of_local::size > 0) {
        all = local.with_cost([](auto const& cost) { return cost.template backward<local_adjoint<Out>>(of_local{}); });
      }
      return append(std::move(all), remote.with_cost([](auto const& cost) {
        return cost.template backward<Out>(concat_types<type_list<Request...>, of_value>{});
      }));
    } else {
      return of_both<Out, Out>(
          [&]<class Stored>(type_tag<Stored>, auto const& cost) { return cost.template backward<Stored>(requests); });
    }
  }

private:
  using sum_type = typename Local::accumulator;
  template <class Out>
  using local_stored = std::conditional_t<Programs::shares_rows, sum_type, Out>;
  template <class Out>
  using local_adjoint = std::conditional_t<Programs::shares_rows && !Programs::hands_adjoint, sum_type, Out>;
  /// Of what is handed over only gradients of values are formed, if any.
  template <class Request>
  struct is_formed
      : std::bool_constant<
            !contains_type<typename Request::target, type_list<own_largest_leaf, own_weight_leaf, row_edges_leaf>> &&
            !(Programs::hands_adjoint && std::is_same_v<typename Request::target, own_value_leaf>)> {};
  template <class Request>
  struct is_of_local : std::bool_constant<[]<class... L>(type_list<L...>) {
    return (targets_whole_leaf<typename Request::target, L> || ...);
  }(LocalLeaves{})> {};

  static plan_cost append(plan_cost all, plan_cost const& more) {
    all.traversals.insert(all.traversals.end(), more.traversals.begin(), more.traversals.end());
    return all;
  }
  template <class OfLocal, class OfRemote, class F>
  plan_cost of_both(F const& f) const {
    return append(local.with_cost([&](auto const& cost) { return f(type_tag<OfLocal>{}, cost); }),
                  remote.with_cost([&](auto const& cost) { return f(type_tag<OfRemote>{}, cost); }));
  }
};

}  // namespace detail
}  // namespace edgewise::inline v0
