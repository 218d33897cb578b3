// An expression whose value the forward pass kept: read by edge, with the way to its arguments still open.
#pragma once

#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0::detail {

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
  using arguments = typename E::arguments;
  using own_leaves = type_list<stash_leaf<Original>>;
  static constexpr bool is_stored = true;
  static constexpr row_axes sums_over = detail::sums_over<E>;
  static constexpr bool chooses = node_chooses<E>;
  template <int I>
  static constexpr unsigned reads = reads_of_node<E, I> & ~reads_own_leaves;

  E expr;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    return expr.template argument<I>();
  }
  template <class... A>
  constexpr auto with_arguments(A const&... a) const {
    auto const around = expr.with_arguments(a...);
    return stashed_node<Original, std::remove_const_t<decltype(around)>>{around};
  }

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_node<stashed_node>(env, [&](auto const& in) EDGEWISE_INLINE_LAMBDA {
      return trace_arguments(in, std::make_integer_sequence<int, arguments::size>{});
    });
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    pull_node<stashed_node>(env, record, adjoint, sink,
                            [&](auto const& traced) EDGEWISE_INLINE_LAMBDA { expr.pull(env, traced, adjoint, sink); });
  }

private:
  template <class Env, int... I>
  EDGEWISE_HD auto trace_arguments(Env const& env, std::integer_sequence<int, I...>) const {
    auto const& value = env.template leaf_value<stash_leaf<Original>>();
    return around(value, argument<I>().trace(env)...);
  }
  template <class Value, class... Records>
  EDGEWISE_HD static auto around(Value const& value, Records const&... records) {
    return record<Value, Records...>{value, make_pack(records...)};
  }
};

}  // namespace edgewise::inline v0::detail
