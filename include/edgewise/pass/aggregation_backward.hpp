// The backward step of aggregations: from what destinations offer, the adjoints of a block of messages, pulled to the
// leaves.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/paired_sum.hpp>
#include <edgewise/pass/softmax_weights.hpp>
#include <edgewise/program/chosen.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/needs.hpp>

namespace edgewise::inline v0::detail {

template <int I, class Field>
using field_leaf = leaf<role::destination, aggregation_field<I, Field>>;

/// Pulls aggregation I of a program: reduce aggregations through the gather's `adjoint`.
template <int I, int Edges, class Gather, class Message, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(reduce_aggregation<Gather, Message> const& aggregation, Env const& env,
                                  Offset const (&edges)[Edges], Sink& sink) {
  if constexpr (Sink::template wants<Message>()) {
    using geometry = typename Env::geometry;
    auto const record = aggregation.message.trace(env);
    register_value<Offset, extent::uniform, Edges, geometry::max_chunks, geometry::channels_per_chunk> edge;
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) edge.at(b, 0, 0) = edges[b];
    auto const adjoint = [&]<class... Field>(type_list<Field...>) {
      return map(
          env.geo,
          [](auto const& message, Offset const& e, auto const&... field) {
            return Gather::adjoint(message, e, field...);
          },
          record.value, edge, env.template leaf_value<field_leaf<I, Field>>()...);
    }(typename Gather::reads{});
    pull_chosen<gather_chooses<Gather>>(aggregation.message, env, record, adjoint, sink);
  }
}

/// An edge's own value has the edge's own adjoint.
template <int I, int Edges, class Message, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(edge_aggregation<Message> const& aggregation, Env const& env, Offset const (&)[Edges],
                                  Sink& sink) {
  if constexpr (Sink::template wants<Message>()) {
    aggregation.message.pull(env, aggregation.message.trace(env), env.template leaf_value<edge_gradient_leaf>(), sink);
  }
}

/// Are adjoints of an aggregation's scores pulled in parts, of which some are 0, and the parts added up afterwards? Not
/// under sums over channels, which take them whole, and not on a device in chunks of 8 channels, of 16-bit rows:
/// without exchanges between them the compiler moves the loads of later edges behind the work on earlier ones
/// (docs/tuning.md, R43).
template <class Aggregation, class Geometry>
inline constexpr bool pulls_open_scores = false;
template <class Score, class Value, class Geometry>
inline constexpr bool pulls_open_scores<softmax_aggregation<Score, Value>, Geometry> =
    has_finite_slopes<Score> && !has_channel_sum<Score> && Geometry::channels_per_chunk != 8;
template <class Score, class Value, class Geometry>
inline constexpr bool pulls_open_scores<edge_softmax_aggregation<Score, Value>, Geometry> =
    pulls_open_scores<softmax_aggregation<Score, Value>, Geometry>;

/// Pulls the value of softmax(score) * value: its adjoint is the product's, times the weight.
template <class Aggregation, class Env, class Record, class Gradient, class Weight, class Sink>
EDGEWISE_HD void pull_softmax_value(Aggregation const& aggregation, Env const& env, Record const& value,
                                    Gradient const& gradient, Weight const& weight, Sink& sink) {
  auto const adjoint = map<true>(
      env.geo, [](auto g, auto p) { return g * p; }, gradient, weight);
  auto const& fitted = fit<std::remove_cvref_t<decltype(value.value)>::extent_of>(env.geo, adjoint);
  pull_chosen<chooses_part<Aggregation, 1>>(aggregation.value, env, value, fitted, sink);
}

/// softmax(score) * value: with p the weight of the edge, value' = p * gradient and score' = p * (<gradient, value> -
/// inner), which is 0 where p is, whatever a masked edge's value. Gradient: the leaf of the product's adjoint. p and
/// score' go to the sink where it hands them over.
template <int I, class Gradient, class Aggregation, class Env, class Sink>
EDGEWISE_HD void pull_softmax(Aggregation const& aggregation, Env const& env, Sink& sink) {
  constexpr bool wants_score = Sink::template wants<std::remove_cvref_t<decltype(aggregation.score)>>();
  constexpr bool wants_value = Sink::template wants<std::remove_cvref_t<decltype(aggregation.value)>>();
  constexpr bool hands = Sink::template wants<handed_weight_leaf<I>>();
  if constexpr (wants_score || wants_value) {
    using T = typename Env::accumulator;
    auto const value = aggregation.value.trace(env);
    auto const& gradient = env.template leaf_value<Gradient>();
    auto const product = [&] {
      return map<true>(
          env.geo, [](auto g, auto v) { return g * v; }, gradient, value.value);
    };
    constexpr extent score_extent = std::remove_cvref_t<decltype(aggregation.score.trace(env).value)>::extent_of;
    using part = std::remove_cvref_t<decltype(fit<score_extent>(env.geo, product()))>;
    // The sum over threads is left to where the gradient is stored, once per row, unless a derivative takes it.
    constexpr bool is_open = pulls_open_scores<Aggregation, typename Env::geometry> && !hands;
    constexpr bool joins = wants_score && !is_open && part::extent_of == extent::narrow_partial &&
                           takes_one_sum<std::remove_cvref_t<decltype(aggregation.score)>, Env>;
    decltype(complete(env.geo, std::declval<part const&>())) inner;
    auto const score = [&] {
      if constexpr (joins) {
        part const partial = fit<score_extent>(env.geo, product());
        return aggregation.score.trace(joining_environment<Env, part, decltype(inner)>{env.geo, env, partial, inner});
      } else {
        return aggregation.score.trace(env);
      }
    }();
    auto const p = map(
        env.geo, [](T s, softmax_normalizer<T> const& row) { return softmax_weight(s, row); }, score.value,
        env.template leaf_value<field_leaf<I, normalizer_field>>());
    if constexpr (wants_score) {
      auto const& mean = env.template leaf_value<field_leaf<I, inner_field>>();
      auto const pull = [&](auto const& inner_part, auto const& mean_part) {
        auto const adjoint = map<true>(
            env.geo,
            []<class X>(X const& weight, X const& x, X const& m) {
              return select(weight == X(0), X(0), weight * (x - m));
            },
            p, inner_part, mean_part);
        if constexpr (hands) {
          sink.template add<handed_weight_leaf<I>>(env, p);
          sink.template add<handed_adjoint_leaf<I>>(env, adjoint);
        }
        pull_chosen<chooses_part<Aggregation, 0>>(aggregation.score, env, score, adjoint, sink);
      };
      if constexpr (is_open) {
        pull(fit_partial<score_extent>(env.geo, product()), fit_partial<score_extent>(env.geo, mean));
      } else {
        if constexpr (!joins) inner = complete(env.geo, fit<score_extent>(env.geo, product()));
        pull(inner, mean);
      }
    }
    if constexpr (wants_value) pull_softmax_value(aggregation, env, value, gradient, p, sink);
  }
}
template <int I, int Edges, class Score, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(softmax_aggregation<Score, Value> const& aggregation, Env const& env,
                                  Offset const (&)[Edges], Sink& sink) {
  pull_softmax<I, field_leaf<I, gradient_field>>(aggregation, env, sink);
}
template <int I, int Edges, class Score, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(edge_softmax_aggregation<Score, Value> const& aggregation, Env const& env,
                                  Offset const (&)[Edges], Sink& sink) {
  pull_softmax<I, edge_gradient_leaf>(aggregation, env, sink);
}

template <int I, int Edges, class Largest, class Weight, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(softmax_so_far<Largest, Weight, Value> const&, Env const&, Offset const (&)[Edges],
                                  Sink&) {}

/// What was handed over is read.
template <int I, int Edges, class Score, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_aggregation(handed_softmax<Score, Value> const& aggregation, Env const& env,
                                  Offset const (&)[Edges], Sink& sink) {
  using aggregation_type = handed_softmax<Score, Value>;
  if constexpr (Sink::template wants<Score>()) {
    pull_chosen<chooses_part<aggregation_type, 0>>(aggregation.score, env, aggregation.score.trace(env),
                                                   env.template leaf_value<handed_adjoint_leaf<I>>(), sink);
  }
  if constexpr (Sink::template wants<Value>()) {
    pull_softmax_value(aggregation, env, aggregation.value.trace(env),
                       env.template leaf_value<field_leaf<I, gradient_field>>(),
                       env.template leaf_value<handed_weight_leaf<I>>(), sink);
  }
}

}  // namespace edgewise::inline v0::detail
