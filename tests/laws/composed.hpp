// Randomly composed messages: a seed becomes an expression at compile time, and the same expression is read in float64.
#pragma once

#include <cstdint>

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"
#include "reference/tape.hpp"

namespace edgewise::testing {

struct k;
struct h;
struct w;
struct p;
struct el;

namespace composed {

/// One step of splitmix64.
constexpr std::uint64_t next(std::uint64_t seed) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Does the value vary over channels?
template <class E>
inline constexpr bool is_wide = true;  // of leaves: src<h>, dst<k> and param<p>
template <>
inline constexpr bool is_wide<leaf<role::edge, w>> = false;
template <>
inline constexpr bool is_wide<leaf<role::source, el>> = false;
template <>
inline constexpr bool is_wide<constant> = false;
template <class Op, class... A>
inline constexpr bool is_wide<node<Op, A...>> = (is_wide<A> || ...);
template <class A>
inline constexpr bool is_wide<channel_sum_node<A>> = false;

template <std::uint64_t Seed>
constexpr auto leaf_of() {
  if constexpr (Seed % 5 == 0) return src<h>;
  if constexpr (Seed % 5 == 1) return dst<k>;
  if constexpr (Seed % 5 == 2) return edge<w>;
  if constexpr (Seed % 5 == 3) return param<p>;
  if constexpr (Seed % 5 == 4) return src<el>;
}

/// A tree of at most Depth operations above each leaf. Quotients and exponentials are kept within bounds, and some
/// subtrees are used twice.
template <std::uint64_t Seed, int Depth>
constexpr auto tree() {
  if constexpr (Depth == 0 || Seed % 8 == 0) {
    return leaf_of<next(Seed)>();
  } else {
    constexpr auto a = tree<next(Seed), Depth - 1>();
    constexpr auto b = tree<next(Seed ^ 0xabcdef), Depth - 1>();
    using left = std::remove_const_t<decltype(a)>;
    using right = std::remove_const_t<decltype(b)>;
    constexpr std::uint64_t kind = (Seed >> 20) % 13;
    if constexpr (kind == 0) return a + b;
    if constexpr (kind == 1) return a - b;
    if constexpr (kind == 2) return a * b;
    if constexpr (kind == 3) return a / (square(b) + 1.0);
    if constexpr (kind == 4) return exp(tanh(a)) * b;
    if constexpr (kind == 5) return tanh(a * b);
    if constexpr (kind == 6) return relu(a) - relu(b);
    if constexpr (kind == 7) return leaky_relu(a, 0.25) * b;
    if constexpr (kind == 8) return tanh(a) * b + tanh(a);         // shared
    if constexpr (kind == 9) return (a * b) * sigmoid(a * b);      // shared, one below the other
    if constexpr (kind == 10) return sigmoid(0.5 * a) + 0.25 * b;  // numbers
    if constexpr (kind >= 11) {
      if constexpr (is_wide<left> || is_wide<right>) {
        return 0.25 * dot(a, b);
      } else {
        return maximum(a, b);
      }
    }
  }
}

// ---- the same in float64, by the names of operations alone
struct reader_of_names {
  template <class Reader>
  static reference::variable read(leaf<role::source, h>, Reader const& at) {
    return at(0);
  }
  template <class Reader>
  static reference::variable read(leaf<role::destination, k>, Reader const& at) {
    return at(1);
  }
  template <class Reader>
  static reference::variable read(leaf<role::edge, w>, Reader const& at) {
    return at(2);
  }
  template <class Reader>
  static reference::variable read(leaf<role::parameter, p>, Reader const& at) {
    return at(3);
  }
  template <class Reader>
  static reference::variable read(leaf<role::source, el>, Reader const& at) {
    return at(4);
  }
  template <class Reader>
  static reference::variable read(constant const& c, Reader const&) {
    return c.number.in_double;
  }
  template <class A, class Reader>
  static reference::variable read(channel_sum_node<A> const& e, Reader const& at) {
    return at.sum_channels([&](auto const& channel) { return read(e.arg, channel); });
  }
  /// Values of vertices: at is a row, where they hold gathers.
  template <class Value, class Reader>
  static reference::variable read(at_source_node<Value> const& e, Reader const& at) {
    return at.at_source([&](auto const& row) { return read(e.arg, row); });
  }
  template <class Value, class Reader>
  static reference::variable read(at_destination_node<Value> const& e, Reader const& at) {
    return at.at_destination([&](auto const& row) { return read(e.arg, row); });
  }
  template <class G, class M, class Row>
  static reference::variable read(gather_node<G, M> const& e, Row const& row) {
    auto const message = [&](auto const& edge) { return read(e.message, edge); };
    if constexpr (std::is_same_v<G, edgewise::sum>) return row.sum(message);
    if constexpr (std::is_same_v<G, mean>) return row.mean(message);
    if constexpr (std::is_same_v<G, edgewise::max>) return row.max(message);
  }
  template <class Op, class... A, class Reader>
  static reference::variable read(node<Op, A...> const& e, Reader const& at) {
    auto const a = read(get<0>(e.args), at);
    if constexpr (sizeof...(A) == 2) {
      auto const b = read(get<1>(e.args), at);
      if constexpr (std::is_same_v<Op, operation::add>) return a + b;
      if constexpr (std::is_same_v<Op, operation::subtract>) return a - b;
      if constexpr (std::is_same_v<Op, operation::multiply>) return a * b;
      if constexpr (std::is_same_v<Op, operation::divide>) return a / b;
      if constexpr (std::is_same_v<Op, operation::maximum>) return maximum(a, b);
    } else {
      if constexpr (std::is_same_v<Op, operation::exp>) return exp(a);
      if constexpr (std::is_same_v<Op, operation::tanh>) return tanh(a);
      if constexpr (std::is_same_v<Op, operation::sigmoid>) return sigmoid(a);
      if constexpr (std::is_same_v<Op, operation::square>) return square(a);
      if constexpr (std::is_same_v<Op, operation::relu>) return relu(a);
      if constexpr (std::is_same_v<Op, operation::leaky_relu>) return leaky_relu(a, e.op.slope.in_double);
    }
  }
};

/// A value of vertices, whose messages read such values, Levels - 1 deep.
template <std::uint64_t Seed, int Levels>
constexpr auto vertex_value();

/// A message that reads values of vertices, Levels deep: at either end, as factors, divisors and terms.
template <std::uint64_t Seed, int Levels>
constexpr auto message_over_units() {
  constexpr auto t = tree<next(Seed), 1>();
  if constexpr (Levels == 0) {
    return t + 0.5 * src<h>;
  } else {
    constexpr auto a = vertex_value<next(Seed ^ 0x1234), Levels>();
    constexpr auto b = vertex_value<next(Seed ^ 0x5678), Levels - 1>();
    constexpr std::uint64_t kind = (Seed >> 24) % 6;
    if constexpr (kind == 0) return t * at_source(a) + src<h>;
    if constexpr (kind == 1) return t + at_destination(a) * src<el>;
    if constexpr (kind == 2) return t * src<h> / (square(at_destination(a)) + 1.0) * at_source(b);
    if constexpr (kind == 3) return exp(tanh(t - at_destination(a))) * src<h>;
    if constexpr (kind == 4) return edge<w> * (at_source(a) - at_destination(a)) + t;
    if constexpr (kind == 5) return (t * at_source(a) + at_destination(b)) * edge<w>;
  }
}
template <std::uint64_t Seed, int Levels>
constexpr auto vertex_value() {
  constexpr auto message = message_over_units < next(Seed), Levels - 1 < 0 ? 0 : Levels - 1 > ();
  constexpr std::uint64_t kind = (Seed >> 16) % 4;
  if constexpr (kind == 0) return tanh(gather<edgewise::sum>(message) + param<p>);
  if constexpr (kind == 1) return gather<mean>(message);
  if constexpr (kind == 2) return 0.5 * gather<edgewise::max>(message);
  if constexpr (kind == 3) return sigmoid(gather<edgewise::sum>(message)) * dst<k>;
}

}  // namespace composed

/// A program of several units made of Seed.
template <int Seed>
struct composed_units {
  static constexpr char const* name = "a composed program of several units";
  static constexpr auto message =
      composed::message_over_units<composed::next(Seed), 2>() + 0.5 * (src<h> * edge<w> + dst<k> * src<el> - param<p>);
  static constexpr auto collect() {
    if constexpr (Seed % 3 == 0) return gather<edgewise::sum>(message);
    if constexpr (Seed % 3 == 1) return tanh(gather<mean>(message)) + dst<k>;
    if constexpr (Seed % 3 == 2) return gather<edgewise::max>(message);
  }
  static constexpr auto program = collect();
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<k, rows_of::destination, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_row>, operand<p, rows_of::parameter, operand_kind::wide>,
                 operand<el, rows_of::source, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>>;
  static auto reference(auto const& row) { return composed::reader_of_names::read(program, row); }
};

/// A program made of Seed: a tree, and each operand once more, so that every program reads all of them. Seeds take
/// turns with the six gathers and a softmax.
template <int Seed>
struct composed_program {
  static constexpr char const* name = "a composed program";
  static constexpr auto message =
      composed::tree<composed::next(Seed), 3>() + 0.5 * (src<h> * edge<w> + dst<k> * src<el> - param<p>);
  static constexpr auto collect() {
    if constexpr (Seed % 7 == 0) return gather<edgewise::sum>(message);
    if constexpr (Seed % 7 == 1) return gather<mean>(message);
    if constexpr (Seed % 7 == 2) return gather<edgewise::max>(message);
    if constexpr (Seed % 7 == 3) {
      return gather<edgewise::sum>(softmax(message) * composed::tree<composed::next(Seed + 100), 2>());
    }
    if constexpr (Seed % 7 == 4) return gather<edgewise::min>(message);
    if constexpr (Seed % 7 == 5) return gather<prod>(message);
    if constexpr (Seed % 7 == 6) return gather<stddev>(message);
  }
  static constexpr auto program = collect();
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<k, rows_of::destination, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_row>, operand<p, rows_of::parameter, operand_kind::wide>,
                 operand<el, rows_of::source, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>>;
  static auto reference(auto const& row) {
    auto const m = [](auto const& edge) { return composed::reader_of_names::read(message, edge); };
    if constexpr (Seed % 7 == 0) return row.sum(m);
    if constexpr (Seed % 7 == 1) return row.mean(m);
    if constexpr (Seed % 7 == 2) return row.max(m);
    if constexpr (Seed % 7 == 3) {
      return row.softmax_sum(m, [](auto const& edge) {
        constexpr auto value = composed::tree<composed::next(Seed + 100), 2>();
        return composed::reader_of_names::read(value, edge);
      });
    }
    if constexpr (Seed % 7 == 4) return row.min(m);
    if constexpr (Seed % 7 == 5) return row.prod(m);
    if constexpr (Seed % 7 == 6) return row.stddev(m);
  }
};

}  // namespace edgewise::testing
