// An expression whose value the forward pass kept: read by edge, with the way to its arguments still open.
#pragma once

#include <edgewise/program/parts.hpp>

namespace edgewise::detail {

/// The name of the operand that holds the values of E.
template <class E>
struct stashed_value {};
template <class E>
using stash_leaf = leaf<role::edge, stashed_value<E>>;

/// E, as the forward pass evaluated it, around arguments that may be kept too: its value is loaded; its arguments are
/// traced, as far as anything reads them, because adjoints are pulled through them.
template <class Original, class E>
struct stashed_node {
  using edgewise_expression = void;
  using leaves = typename E::leaves;
  using arguments = typename parts<E>::types;

  E expr;

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    if constexpr (is_held<stashed_node, Env>()) {
      return read_held<stashed_node>(env);
    } else {
      return trace_arguments(env, std::make_integer_sequence<int, parts<E>::types::size>{});
    }
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    if constexpr (is_held<stashed_node, Env>()) {
      sink.template add<stashed_node>(env, adjoint);
    } else {
      expr.pull(env, record, adjoint, sink);
    }
  }

private:
  template <class Env, int... I>
  EDGEWISE_HD auto trace_arguments(Env const& env, std::integer_sequence<int, I...>) const {
    auto const& value = env.template leaf_value<stash_leaf<Original>>();
    return around(value, parts<E>::template at<I>(expr).trace(env)...);
  }
  template <class Value, class... Records>
  EDGEWISE_HD static auto around(Value const& value, Records const&... records) {
    return record<Value, Records...>{value, make_pack(records...)};
  }
};

template <class Original, class E>
struct parts<stashed_node<Original, E>> {
  using types = typename parts<E>::types;
  template <int I>
  EDGEWISE_HD static auto const& at(stashed_node<Original, E> const& e) {
    return parts<E>::template at<I>(e.expr);
  }
};
template <class Original, class E>
struct is_known_by_type<stashed_node<Original, E>> : is_known_by_type<Original> {};
/// Its adjoint goes where the sum's goes.
template <class Original, class A>
struct is_lane_sum<stashed_node<Original, lane_sum_node<A>>> : std::true_type {};

}  // namespace edgewise::detail
