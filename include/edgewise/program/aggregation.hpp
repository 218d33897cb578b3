// Aggregations: the gathers of a program as a traversal runs them, each with its message.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/concept.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/place.hpp>

namespace edgewise::inline v0::detail {

/// Names of what belongs to aggregation I of a program: its value in the epilogue, and the fields its backward pass
/// reads.
template <int I>
struct aggregation_value {};
template <int I, class Field>
struct aggregation_field {};

template <class L>
struct is_aggregation_value_leaf : std::false_type {};
template <int I>
struct is_aggregation_value_leaf<leaf<role::destination, aggregation_value<I>>> : std::true_type {};

/// The fields of a softmax aggregation: the normalizer of the scores, and the inner product of value gradient and
/// probabilities.
struct normalizer_field {};
struct inner_field {};

/// A monoid gather of a message.
template <class Gather, class Message>
struct reduce_aggregation {
  using arguments = type_list<Message>;
  using gather_type = Gather;
  using leaves = typename Message::leaves;
  static constexpr bool is_softmax = false;
  Message message;

  template <int>
  EDGEWISE_HD constexpr auto const& argument() const {
    return message;
  }
  template <class M>
  constexpr auto with_arguments(M const& m) const {
    return reduce_aggregation<Gather, M>{m};
  }
};

/// sum over edges of softmax(score) * value.
template <class Score, class Value>
struct softmax_aggregation {
  using arguments = type_list<Score, Value>;
  using leaves = unique_types<concat_types<typename Score::leaves, typename Value::leaves>>;
  static constexpr bool is_softmax = true;
  Score score;
  Value value;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    if constexpr (I == 0) {
      return score;
    } else {
      return value;
    }
  }
  template <class S, class V>
  constexpr auto with_arguments(S const& s, V const& v) const {
    return softmax_aggregation<S, V>{s, v};
  }
};

template <class Aggregations>
inline constexpr bool any_softmax = false;
template <class... Aggregation>
inline constexpr bool any_softmax<type_list<Aggregation...>> = (Aggregation::is_softmax || ...);

/// Does an aggregation pick one edge per channel (gather/concept.hpp)?
template <class Aggregation>
inline constexpr bool aggregation_picks_edge = false;
template <class Gather, class Message>
inline constexpr bool aggregation_picks_edge<reduce_aggregation<Gather, Message>> = picks_edge<Gather>;

template <class E>
struct is_with_self : std::false_type {};
template <class M>
struct is_with_self<with_self_node<M>> : std::true_type {};
template <class E>
inline constexpr bool has_self = any_node<is_with_self, E>::value;

/// A product with its softmax factor taken out: softmax(score) * value.
template <class Score, class Value>
struct softmax_product {
  Score score;
  Value value;
};
template <class Score, class Value>
constexpr auto make_softmax_product(Score const& score, Value const& value) {
  return softmax_product<Score, Value>{score, value};
}

/// The value of a softmax alone. A type of its own: a constant factor of the message is no such thing.
struct one : constant {
  constexpr one() : constant{1.0} {}
};
template <>
struct is_known_by_type<one> : std::true_type {};

/// The value of a product after one more factor. What drops a weight alone (`split_softmax` below) drops its factors by
/// selection, so that a dropped edge's value may be infinite.
template <class Value, class Factor>
constexpr auto times(Value const& value, Factor const& factor) {
  return value * factor;
}
template <class Factor>
constexpr auto times(one const&, Factor const& factor) {
  return factor;
}
template <class Name, class Number, class Rate, class Shape, class Factor>
constexpr auto times(dropout_node<Name, Number, Rate, one, Shape> const& weight, Factor const& factor) {
  return dropout_node<Name, Number, Rate, Factor, Shape>{factor, weight.rate};
}

template <class E>
constexpr auto split_softmax(E const&) {
  static_assert(!has_softmax<E>,
                "softmax: must be a factor of the message of gather<sum>, as in gather<sum>(softmax(score) * value) "
                "(program/aggregation.hpp)");
}
template <class Name, class Number, class Rate, class A>
constexpr auto split_softmax(dropout_node<Name, Number, Rate, A> const& e);
template <class A>
constexpr auto split_softmax(softmax_node<A> const& s) {
  static_assert(!has_softmax<A>,
                "softmax: the score of a softmax cannot hold another softmax (program/aggregation.hpp)");
  return make_softmax_product(s.arg, one{});
}
template <class A, class B>
constexpr auto split_softmax(node<operation::multiply, A, B> const& product) {
  static_assert(!(has_softmax<A> && has_softmax<B>),
                "softmax: only one factor of a message may be a softmax (program/aggregation.hpp)");
  if constexpr (has_softmax<A>) {
    auto const inner = split_softmax(get<0>(product.args));
    return make_softmax_product(inner.score, times(inner.value, get<1>(product.args)));
  } else {
    auto const inner = split_softmax(get<1>(product.args));
    return make_softmax_product(inner.score, times(inner.value, get<0>(product.args)));
  }
}
/// Dropout of a weight is dropout of its value: with m the mask, 0 or 1 / (1 - p), and w = softmax(s),
///   sum_e (m_e w_e) v_e = sum_e w_e (m_e v_e) = sum_e w_e v'_e.
/// So this is the softmax sum of v' and so is its derivative: the weights come from all edges, dropped ones too, and
/// score'_e = w_e (<g, v'_e> - <g, out>), where out = sum_e w_e v'_e is the value after dropout. The mask has the
/// extent of what it was written for, mostly one per head, whatever the extent of the value.
template <class Name, class Number, class Rate, class A>
constexpr auto split_softmax(dropout_node<Name, Number, Rate, A> const& e) {
  auto const inner = split_softmax(e.arg);
  using score = std::remove_cvref_t<decltype(inner.score)>;
  using value = std::remove_cvref_t<decltype(inner.value)>;
  using dropped = dropout_node<Name, Number, Rate, value, node<operation::multiply, score, value>>;
  return make_softmax_product(inner.score, dropped{inner.value, e.rate});
}

/// The aggregation that gathers a message.
template <class Gather, class Message>
constexpr auto make_aggregation(Message const& message) {
  static_assert(!has_gather<Message>,
                "gather: a message cannot hold another gather by itself; say whose it is, at_source(gather<...>(...)), "
                "at_destination(...) or over_row<...>(...) (expression/vertex_value.hpp)");
  static_assert(
      !has_head_sum<Message>,
      "sum_heads / mean_heads: belongs above gathers, as in sum_heads(gather<sum>(message)) (program/aggregation.hpp)");
  static_assert(!has_self<Message>,
                "with_self: belongs directly inside a gather, as in gather<sum>(with_self(message))");
  if constexpr (has_softmax<Message>) {
    static_assert(
        std::is_same_v<Gather, sum>,
        "softmax: is fused with gather<sum> only, as in gather<sum>(softmax(score) * value) (program/aggregation.hpp)");
    auto const split = split_softmax(message);
    return softmax_aggregation<std::remove_cvref_t<decltype(split.score)>, std::remove_cvref_t<decltype(split.value)>>{
        split.score, split.value};
  } else {
    return reduce_aggregation<Gather, Message>{message};
  }
}

/// An aggregation and what it does along the self edge.
template <class Aggregation, class Self>
struct aggregation_with_self {
  Aggregation aggregation;
  Self self;
};
template <class Gather, class Message>
constexpr auto make_aggregations(gather_node<Gather, Message> const& gather) {
  auto const aggregation = make_aggregation<Gather>(gather.message);
  return aggregation_with_self<std::remove_const_t<decltype(aggregation)>, no_self>{aggregation, {}};
}
template <class Gather, class Message>
constexpr auto make_aggregations(gather_node<Gather, with_self_node<Message>> const& gather) {
  auto const aggregation = make_aggregation<Gather>(gather.message.arg);
  auto const along_self = make_aggregation<Gather>(self_message(gather.message.arg));
  return aggregation_with_self<std::remove_const_t<decltype(aggregation)>, std::remove_const_t<decltype(along_self)>>{
      aggregation, along_self};
}

}  // namespace edgewise::inline v0::detail
