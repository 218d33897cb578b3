// Edge programs: scatter(message) as traversals run it. One aggregation, whose value belongs to the edge.
#pragma once

#include <edgewise/expression/concat.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/program/aggregation.hpp>

namespace edgewise::inline v0::detail {

/// The message of every edge, stored.
template <class Message>
struct edge_aggregation {
  using arguments = type_list<Message>;
  using leaves = typename Message::leaves;
  static constexpr bool is_softmax = false;
  Message message;

  template <int>
  EDGEWISE_HD constexpr auto const& argument() const {
    return message;
  }
  template <class M>
  constexpr auto with_arguments(M const& m) const {
    return edge_aggregation<M>{m};
  }
};

/// softmax(score) * value of every edge, the softmax over the edges of its destination.
template <class Score, class Value>
struct edge_softmax_aggregation {
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
    return edge_softmax_aggregation<S, V>{s, v};
  }
};

/// log of the sum of exp(score) over the edges of a row: what comes before edges can be weighed.
template <class Score>
struct normalizer_aggregation {
  using arguments = type_list<Score>;
  using leaves = typename Score::leaves;
  static constexpr bool is_softmax = true;
  Score score;

  template <int>
  EDGEWISE_HD constexpr auto const& argument() const {
    return score;
  }
  template <class S>
  constexpr auto with_arguments(S const& s) const {
    return normalizer_aggregation<S>{s};
  }
};

/// Stands where a program has no vertex expression.
struct no_epilogue {
  using leaves = type_list<>;
};

/// What kernels run for scatter(message).
template <class Aggregation>
struct edge_program {
  using epilogue_type = no_epilogue;
  using aggregation_types = type_list<Aggregation>;
  using leaves = typename Aggregation::leaves;
  using self_leaves = type_list<>;
  using self_types = type_list<>;
  static constexpr int num_aggregations = 1;
  static constexpr bool has_self = false;
  pack<Aggregation> aggregations;
};

/// The adjoint of an edge program's output, one row per edge, by id: what its aggregation reads of the edge in the
/// backward pass.
using edge_gradient_leaf = leaf<role::edge, aggregation_field<0, gradient_field>>;

template <class Aggregation>
constexpr auto make_edge_program(Aggregation const& aggregation) {
  return edge_program<Aggregation>{{{{aggregation}}}};
}
template <class Message>
constexpr auto program_of_message(Message const& message) {
  return make_edge_program(edge_aggregation<Message>{message});
}

/// E: an expression with scatter in it.
template <class E>
constexpr auto lower_edge_program(E const& e) {
  static_assert(!has_gather<E>,
                "scatter: a program of edges cannot hold a gather by itself; say whose it is, "
                "scatter(src<h> * at_destination(gather<...>(...))) (expression/vertex_value.hpp)");
  static_assert(!has_concat<E>, "concat: ends a program of vertices; scatter each part (expression/concat.hpp)");
  static_assert(!has_head_sum<E>,
                "sum_heads / mean_heads: belongs above gathers, as in sum_heads(gather<sum>(message)) "
                "(program/edge_program.hpp)");
  static_assert(!has_self<E>,
                "with_self: belongs directly inside a gather; a virtual edge has no row in an output of edges");
  auto const message = give_places<0>(e).expr;
  if constexpr (has_softmax<E>) {
    auto const split = split_softmax(message);
    using score = std::remove_cvref_t<decltype(split.score)>;
    using value = std::remove_cvref_t<decltype(split.value)>;
    return make_edge_program(edge_softmax_aggregation<score, value>{split.score, split.value});
  } else {
    return program_of_message(message);
  }
}

}  // namespace edgewise::inline v0::detail
