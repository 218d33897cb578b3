// Expression nodes: an elementwise operation over sub-expressions, and the sum over the channels of a head.
#pragma once

#include <edgewise/core/pack.hpp>
#include <edgewise/expression/concept.hpp>
#include <edgewise/expression/leaf.hpp>
#include <edgewise/expression/node_concept.hpp>
#include <edgewise/expression/selecting_sink.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class Value, class... Children>
struct record {
  pack<Children...> children;
  Value value;

  EDGEWISE_HD record(Value const& v, pack<Children...> const& c) : children(c), value(v) {}
  /// Both made in place: they are not copied, whatever their size.
  EDGEWISE_HD_AS_ITS_ARGUMENT
  template <class MakeChildren, class MakeValue>
  EDGEWISE_HD record(MakeChildren const& make_children, MakeValue const& make_value)
      : children(make_children()), value(make_value(children)) {}
};

/// Environments may hold values of whole expressions, listed in `held`: those are read like leaves instead of being
/// evaluated, and their adjoints go to the sink.
template <class Env>
concept holds_expressions = requires {
  typename Env::held;
};
template <class E, class Env>
consteval bool is_hoisted() {
  if constexpr (holds_expressions<Env>) {
    return contains_type<E, typename Env::held>;
  } else {
    return false;
  }
}

/// The leaves that the value of E is computed from (program/needs.hpp).
template <class E>
struct value_leaves;
template <class Leaves, class Read>
inline constexpr bool are_read = true;
template <class... L, class... R>
inline constexpr bool are_read<type_list<L...>, type_list<R...>> = (contains_type<L, type_list<R...>> && ...);
/// Does anyone read the value of E? A pass that pulls adjoints evaluates whole messages, of which derivatives read a
/// part: that of the leaves in `read`, the only ones it loads. The compiler drops the rest, but for what threads
/// exchange.
template <class E, class Env>
consteval bool is_read() {
  if constexpr (requires { typename Env::read; }) {
    return are_read<typename value_leaves<E>::type, typename Env::read>;
  } else {
    return true;
  }
}

/// What the derivative of an operation by argument I reads: all, or what it says (`reads<I>`).
template <class Op, int I>
consteval unsigned partial_reads() {
  if constexpr (requires { Op::template reads<I>; }) {
    return Op::template reads<I>;
  } else {
    return ~0u;
  }
}
/// Does the derivative of an operation by argument I read anything but the adjoint?
template <class Op, int I>
inline constexpr bool multiplies_adjoint = partial_reads<Op, I>() != 0;

/// Operations may take the derivative by argument I of a value with channels in a form of its own, `pull_channels<I>`:
/// a value of which a thread holds one number costs other registers than one of which it holds many.
template <class Op, int I>
concept pulls_channels_apart = requires(Op const& op, float x) {
  op.template pull_channels<I>(x, x, x);
};

}  // namespace detail

/// The record of a node: what `evaluate(env)` makes, or where the environment holds the value already, that value.
template <class Node, class Env, class Evaluate>
EDGEWISE_HD auto trace_node(Env const& env, Evaluate const& evaluate) {
  if constexpr (detail::is_hoisted<Node, Env>()) {
    auto const& x = env.template leaf_value<Node>();
    return detail::leaf_record<std::remove_cvref_t<decltype(x)>>{x};
  } else {
    return evaluate(env);
  }
}
/// Hands an adjoint of a node on: `to_arguments(record)` pulls it further, or where the environment holds the node's
/// value, it is the sink's.
template <class Node, class Env, class Record, class Adjoint, class Sink, class ToArguments>
EDGEWISE_HD void pull_node(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink,
                           ToArguments const& to_arguments) {
  if constexpr (detail::is_hoisted<Node, Env>()) {
    sink.template add<Node>(env, adjoint);
  } else {
    to_arguments(record);
  }
}

/// Op applied channel by channel to Args; values broadcast over the axes that they lack.
template <class Op, class... Args>
struct node {
  static_assert(require_operation<Op>::ok);
  using edgewise_expression = void;
  using operation = Op;
  using arguments = type_list<Args...>;
  using leaves = unique_types<concat_types<typename Args::leaves...>>;
  using numbers = Op;
  static constexpr int flops = Op::flops;
  static constexpr bool chooses = detail::operation_chooses<Op>;
  template <int I>
  static constexpr unsigned reads = detail::partial_reads<Op, I>();

  [[no_unique_address]] Op op;
  pack<Args...> args;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    return get<I>(args);
  }
  template <class... A>
  constexpr node<Op, A...> with_arguments(A const&... a) const {
    return {op, {{{a}...}}};
  }
  template <class Placed, class... A>
  constexpr node<Placed, A...> with_numbers(A const&... a) const {
    return {Placed{op}, {{{a}...}}};
  }

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_node<node>(env, [&](auto const& in) EDGEWISE_INLINE_LAMBDA {
      return trace_args(in, std::make_integer_sequence<int, sizeof...(Args)>{});
    });
  }

  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    pull_node<node>(env, record, adjoint, sink, [&](auto const& traced) EDGEWISE_INLINE_LAMBDA {
      for_each_index<sizeof...(Args)>([&](auto index) {
        constexpr int I = decltype(index)::value;
        using arg = std::remove_cvref_t<decltype(get<I>(args))>;
        if constexpr (Sink::template wants<arg>()) {
          constexpr bool selects = detail::selects_adjoints<Sink> && detail::multiplies_adjoint<Op, I>;
          auto const partial =
              partial_adjoint<I, selects>(env, traced, adjoint, std::make_integer_sequence<int, sizeof...(Args)>{});
          using arg_value = std::remove_cvref_t<decltype(get<I>(traced.children).value)>;
          detail::pull_chosen<detail::operation_chooses<Op>>(get<I>(args), env, get<I>(traced.children),
                                                             detail::fit<arg_value::extent_of>(env.geo, partial), sink);
        }
      });
    });
  }

private:
  template <class Env, int... I>
  EDGEWISE_HD auto trace_args(Env const& env, std::integer_sequence<int, I...>) const {
    using children_type = pack<decltype(get<I>(args).trace(env))...>;
    auto const trace_children = [&]() EDGEWISE_INLINE_LAMBDA { return children_type{{{get<I>(args).trace(env)}...}}; };
    auto const evaluate = [&](children_type const& traced) EDGEWISE_INLINE_LAMBDA {
      return detail::map<detail::is_lanewise<Op>>(
          env.geo, [this](auto const&... x) EDGEWISE_INLINE_LAMBDA { return op.value(x...); }, get<I>(traced).value...);
    };
    using value_type = decltype(evaluate(std::declval<children_type const&>()));
    return detail::record<value_type, decltype(get<I>(args).trace(env))...>(trace_children, evaluate);
  }
  /// Selects: an adjoint of 0 stays 0, whatever the derivative.
  template <int I, bool Selects, class Env, class Record, class Adjoint, int... J>
  EDGEWISE_HD auto partial_adjoint(Env const& env, Record const& record, Adjoint const& adjoint,
                                   std::integer_sequence<int, J...>) const {
    constexpr bool has_channels = std::remove_cvref_t<decltype(record.value)>::extent_of == extent::wide;
    if constexpr (has_channels && detail::pulls_channels_apart<Op, I> && detail::is_lanewise<Op> && !Selects) {
      return detail::map<true>(
          env.geo,
          [this](auto const& a, auto const& result, auto const&... x)
              EDGEWISE_INLINE_LAMBDA { return op.template pull_channels<I>(a, result, x...); },
          adjoint, record.value, get<J>(record.children).value...);
    } else if constexpr (has_channels && detail::pulls_channels_apart<Op, I>) {
      return detail::map(
          env.geo,
          [this](auto const& a, auto const& result, auto const&... x) {
            auto const partial = op.template pull_channels<I>(a, result, x...);
            return Selects && detail::is_zero(a) ? decltype(partial)(0) : partial;
          },
          adjoint, record.value, get<J>(record.children).value...);
    } else if constexpr (detail::is_lanewise<Op> && !Selects) {
      return detail::map<true>(
          env.geo,
          [this](auto const& a, auto const& result, auto const&... x)
              EDGEWISE_INLINE_LAMBDA { return op.template pull<I>(a, result, x...); },
          adjoint, record.value, get<J>(record.children).value...);
    } else {
      return detail::map(
          env.geo,
          [this](auto const& a, auto const& result, auto const&... x) {
            auto const partial = op.template pull<I>(a, result, x...);
            return Selects && detail::is_zero(a) ? decltype(partial)(0) : partial;
          },
          adjoint, record.value, get<J>(record.children).value...);
    }
  }
};

namespace detail {

/// The sum over threads of a partial value, which an environment may take together with another
/// (pass/paired_sum.hpp).
template <class Env, class V>
EDGEWISE_HD auto complete_in(Env const& env, V const& partial) {
  if constexpr (requires { env.complete_together(partial); }) {
    return env.complete_together(partial);
  } else {
    return complete(env.geo, partial);
  }
}

}  // namespace detail

/// The sum over the channels of each head: wide to narrow. `dot(a, b)` is `sum_channels(a * b)`.
template <class Arg>
struct channel_sum_node : unary_node<channel_sum_node, Arg> {
  static constexpr row_axes sums_over{.channels = true};

  /// The text is that of `dot` where the argument is a product.
  template <class Writer>
  auto text(Writer const& to) const {
    if constexpr (requires { requires Arg::operation::name[0] == '*' && Arg::arguments::size == 2; }) {
      return to.call("dot", get<0>(this->arg.args), get<1>(this->arg.args));
    } else {
      return to.call("sum_channels", this->arg);
    }
  }

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_node<channel_sum_node>(env, [&](auto const& in) EDGEWISE_INLINE_LAMBDA { return sum_up(in); });
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    pull_node<channel_sum_node>(env, record, adjoint, sink, [&](auto const& traced) EDGEWISE_INLINE_LAMBDA {
      if constexpr (Sink::template wants<Arg>()) {
        // Every channel of the argument gets the whole adjoint: a sum over threads that is still open is taken first,
        // and the result is spread out, because operands below that lack channels receive it once for each channel.
        auto const whole = detail::complete(env.geo, adjoint);
        auto const spread = detail::map<true>(
            env.geo, [](auto const& a, auto const&) { return a; }, whole, get<0>(traced.children).value);
        this->arg.pull(env, get<0>(traced.children), spread, sink);
      }
    });
  }

  /// The value with its sum over threads still to be taken: it is taken elsewhere, where one thread alone needs it.
  template <class Env>
  EDGEWISE_HD auto trace_open(Env const& env) const {
    return add_channels(env, this->arg.trace(env));
  }

private:
  template <class Env, class Record>
  EDGEWISE_HD static auto add_channels(Env const& env, Record const& inner) {
    static_assert(std::remove_cvref_t<decltype(inner.value)>::extent_of == extent::wide,
                  "dot / sum_channels: needs at least one operand with channels (wide or per_channel); per_head and "
                  "per_row have none");
    return detail::fit<extent::narrow>(env.geo, inner.value);
  }
  template <class Env>
  EDGEWISE_HD auto sum_up(Env const& env) const {
    using inner = decltype(this->arg.trace(env));
    using children_type = pack<inner>;
    using value = decltype(detail::complete(env.geo, add_channels(env, std::declval<inner const&>())));
    auto const trace_child = [&]() EDGEWISE_INLINE_LAMBDA { return children_type{{{this->arg.trace(env)}}}; };
    auto const add = [&]([[maybe_unused]] children_type const& traced) EDGEWISE_INLINE_LAMBDA {
      if constexpr (detail::is_read<channel_sum_node, Env>()) {
        return detail::complete_in(env, add_channels(env, get<0>(traced)));
      } else {
        value nothing;
        detail::fill(env.geo, nothing, typename value::scalar{});
        return nothing;
      }
    };
    return detail::record<value, inner>(trace_child, add);
  }
};

namespace detail {

/// The value of an expression, its sum over threads left open where its last step is to take it.
template <class E, class Env>
EDGEWISE_HD auto trace_open(E const& expression, Env const& env) {
  if constexpr (!is_hoisted<E, Env>() && requires { expression.trace_open(env); }) {
    return expression.trace_open(env);
  } else {
    return expression.trace(env).value;
  }
}

template <class A>
inline constexpr bool is_operand = expression<A> || std::is_arithmetic_v<A>;

template <class A>
constexpr auto as_expression(A const& a) {
  if constexpr (expression<A>) {
    return a;
  } else {
    return constant{static_cast<double>(a)};
  }
}
template <class A>
using as_expression_t = decltype(as_expression(std::declval<A>()));

template <class Op, class... A>
constexpr auto make_node(Op op, A const&... args) {
  return node<Op, as_expression_t<A>...>{op, pack<as_expression_t<A>...>{{{as_expression(args)}...}}};
}

/// At least one expression among operands: the guard of every operator, so that plain numbers keep theirs.
template <class... A>
concept operands = (is_operand<A> && ...) && (expression<A> || ...);

}  // namespace detail

/// Sum over the channels of each head: [.., heads, channels] to [.., heads].
template <expression A>
constexpr auto sum_channels(A const& a) {
  return channel_sum_node<A>{{a}};
}

}  // namespace edgewise::inline v0
