// The end of a program with several values for each vertex, which one traversal gathers.
#pragma once

#include <edgewise/expression/gather_node.hpp>

namespace edgewise::inline v0 {
namespace operation {

/// Its arguments side by side: no value is computed from them.
struct concat {
  static constexpr char const* name = "concat";
  static constexpr int flops = 0;
  template <int>
  static constexpr unsigned reads = 0;
};

}  // namespace operation

namespace detail {

/// Values of several expressions. Their extent is the first one's; programs check that they agree.
template <class First, class... Rest>
struct concat_value {
  static constexpr extent extent_of = First::extent_of;
  pack<First, Rest...> parts;
};
template <class First, class... Rest>
EDGEWISE_HD constexpr concat_value<First, Rest...> make_concat_value(First const& first, Rest const&... rest) {
  return {make_pack(first, rest...)};
}

}  // namespace detail

/// What `concat` makes: evaluates and pulls its arguments one by one, the adjoint being a pack of theirs.
template <class... Args>
struct node<operation::concat, Args...> {
  using edgewise_expression = void;
  using operation = edgewise::operation::concat;
  using arguments = type_list<Args...>;
  using leaves = unique_types<concat_types<typename Args::leaves...>>;

  static constexpr int flops = 0;

  [[no_unique_address]] edgewise::operation::concat op;
  pack<Args...> args;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    return get<I>(args);
  }
  template <class... A>
  constexpr node<edgewise::operation::concat, A...> with_arguments(A const&... a) const {
    return {op, {{{a}...}}};
  }

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_args(env, std::make_integer_sequence<int, sizeof...(Args)>{});
  }
  template <class Env, class Record, class Adjoints, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoints const& adjoints, Sink& sink) const {
    for_each_index<sizeof...(Args)>([&](auto index) {
      constexpr int I = decltype(index)::value;
      using arg = std::remove_cvref_t<decltype(get<I>(args))>;
      if constexpr (Sink::template wants<arg>()) {
        get<I>(args).pull(env, get<I>(record.children), get<I>(adjoints), sink);
      }
    });
  }

private:
  template <class Env, int... I>
  EDGEWISE_HD auto trace_args(Env const& env, std::integer_sequence<int, I...>) const {
    return combine(get<I>(args).trace(env)...);
  }
  template <class... Records>
  EDGEWISE_HD static auto combine(Records const&... records) {
    auto const values = detail::make_concat_value(records.value...);
    return detail::record<std::remove_const_t<decltype(values)>, Records...>{values, make_pack(records...)};
  }
};

/// `concat(a, b, ...)`: several values for each vertex, such as `concat(gather<mean>(m), gather<max>(m),
/// gather<min>(m), gather<stddev>(m))`, the aggregators of PNA (Corso et al. 2020, section 2.3) in one traversal. It is
/// the end of a program: nothing is computed from it. All parts have one shape; a row of the output is all of them,
/// part after part. Shapes: of parts [rows, heads, channels] wide, [rows, parts * heads, channels]; of parts [rows,
/// channels] (`sum_heads`) wide, [rows, parts, channels]; of parts [rows, heads] or [rows] per head, [rows, parts *
/// heads] or [rows, parts]. Where a part has one head, or none, a view [rows, parts * channels] is the same. The output
/// shares memory with no operand, not even with one of destinations.
template <expression... A>
constexpr auto concat(A const&... parts) {
  static_assert(sizeof...(A) >= 2, "concat: needs at least two expressions (expression/concat.hpp)");
  return node<operation::concat, A...>{{}, pack<A...>{{{parts}...}}};
}

namespace detail {

template <class E>
struct is_concat : std::false_type {};
template <class... A>
struct is_concat<node<operation::concat, A...>> : std::true_type {};
template <class E>
inline constexpr bool has_concat = any_node<is_concat, E>::value;
template <class E>
struct has_concat_in : std::bool_constant<has_concat<E>> {};
/// Is there a concatenation below the root?
template <class E>
inline constexpr bool has_concat_below = any_in_list<has_concat_in, typename argument_list<E>::type>::value;

/// The values of a program's end: those of a concatenation, else the one.
template <class E>
struct output_parts {
  using types = type_list<E>;
};
template <class... A>
struct output_parts<node<operation::concat, A...>> {
  using types = type_list<A...>;
};

/// Calls f(index_constant<I>, value) for every part of a program's value.
template <class V, class F>
EDGEWISE_HD void for_each_part(V const& value, F const& f) {
  f(index_constant<0>{}, value);
}
template <class... V, class F>
EDGEWISE_HD void for_each_part(concat_value<V...> const& values, F const& f) {
  for_each_index<sizeof...(V)>([&](auto i) { f(i, get<decltype(i)::value>(values.parts)); });
}

}  // namespace detail
}  // namespace edgewise::inline v0
