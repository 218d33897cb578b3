// The backward step of units: from what destinations offer, the adjoints of a block of messages, pulled to the leaves.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/joined_sum.hpp>
#include <edgewise/pass/softmax_weights.hpp>
#include <edgewise/program/chosen.hpp>
#include <edgewise/program/needs.hpp>

namespace edgewise::detail {

template <int I, class Field>
using field_leaf = leaf<role::destination, unit_field<I, Field>>;

/// Pulls unit I of a program: reduce units through the gather's `adjoint`.
template <int I, int Blocks, class Gather, class Message, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_unit(reduce_unit<Gather, Message> const& unit, Env const& env, Offset const (&edges)[Blocks],
                           Sink& sink) {
  if constexpr (Sink::template wants<Message>()) {
    using geometry = typename Env::geometry;
    auto const record = unit.message.trace(env);
    register_value<Offset, extent::uniform, Blocks, geometry::max_chunks, geometry::lanes_per_chunk> edge;
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) edge.at(b, 0, 0) = edges[b];
    auto const adjoint = [&]<class... Field>(type_list<Field...>) {
      return map(
          env.geo,
          [](auto const& message, Offset const& e, auto const&... field) {
            return Gather::adjoint(message, e, field...);
          },
          record.value, edge, env.template leaf_value<field_leaf<I, Field>>()...);
    }(typename Gather::reads{});
    pull_chosen<gather_chooses<Gather>>(unit.message, env, record, adjoint, sink);
  }
}

/// An edge's own value has the edge's own adjoint.
template <int I, int Blocks, class Message, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_unit(edge_unit<Message> const& unit, Env const& env, Offset const (&)[Blocks], Sink& sink) {
  if constexpr (Sink::template wants<Message>()) {
    unit.message.pull(env, unit.message.trace(env), env.template leaf_value<edge_gradient_leaf>(), sink);
  }
}

/// Are adjoints of a unit's scores pulled in parts? Not on a device in chunks of 8 lanes, of 16-bit rows: without
/// exchanges between them the compiler moves the loads of later edges behind the work on earlier ones (docs/tuning.md,
/// R43).
template <class Unit, class Geometry>
inline constexpr bool pulls_open_scores = false;
template <class Score, class Value, class Geometry>
inline constexpr bool pulls_open_scores<softmax_unit<Score, Value>, Geometry> =
    has_finite_slopes<Score>&& Geometry::lanes_per_chunk != 8;
template <class Score, class Value, class Geometry>
inline constexpr bool pulls_open_scores<edge_softmax_unit<Score, Value>, Geometry> =
    pulls_open_scores<softmax_unit<Score, Value>, Geometry>;

/// softmax(score) * value: with p the weight of the edge, value' = p * gradient and score' = p * (<gradient, value> -
/// inner), which is 0 where p is, whatever a masked edge's value. Gradient: the leaf of the product's adjoint.
template <int I, class Gradient, class Unit, class Env, class Sink>
EDGEWISE_HD void pull_softmax(Unit const& unit, Env const& env, Sink& sink) {
  constexpr bool wants_score = Sink::template wants<std::remove_cvref_t<decltype(unit.score)>>();
  constexpr bool wants_value = Sink::template wants<std::remove_cvref_t<decltype(unit.value)>>();
  if constexpr (wants_score || wants_value) {
    using T = typename Env::accumulator;
    auto const value = unit.value.trace(env);
    auto const& gradient = env.template leaf_value<Gradient>();
    auto const product = [&] {
      return map(
          env.geo, [](T g, T v) { return g * v; }, gradient, value.value);
    };
    constexpr extent score_extent = std::remove_cvref_t<decltype(unit.score.trace(env).value)>::extent_of;
    using part = decltype(fit<score_extent>(env.geo, product()));
    // The sum over threads is left to where the gradient is stored, once per row, unless a derivative takes it.
    constexpr bool is_open = pulls_open_scores<Unit, typename Env::geometry>;
    constexpr bool joins = wants_score && !is_open && part::extent_of == extent::narrow_partial &&
                           takes_one_sum<std::remove_cvref_t<decltype(unit.score)>, Env>;
    decltype(complete(env.geo, std::declval<part const&>())) inner;
    auto const score = [&] {
      if constexpr (joins) {
        part const partial = fit<score_extent>(env.geo, product());
        return unit.score.trace(joining_environment<Env, part, decltype(inner)>{env.geo, env, partial, inner});
      } else {
        return unit.score.trace(env);
      }
    }();
    auto const p = map(
        env.geo, [](T s, softmax_normalizer<T> const& row) { return softmax_weight(s, row); }, score.value,
        env.template leaf_value<field_leaf<I, normalizer_field>>());
    if constexpr (wants_score) {
      auto const& mean = env.template leaf_value<field_leaf<I, inner_field>>();
      auto const pull = [&](auto const& inner_part, auto const& mean_part) {
        auto const adjoint = map(
            env.geo, [](T weight, T x, T m) { return weight == T(0) ? T(0) : weight * (x - m); }, p, inner_part,
            mean_part);
        pull_chosen<chooses_part<Unit, 0>>(unit.score, env, score, adjoint, sink);
      };
      if constexpr (is_open) {
        pull(fit_partial<score_extent>(env.geo, product()), fit_partial<score_extent>(env.geo, mean));
      } else {
        if constexpr (!joins) inner = complete(env.geo, fit<score_extent>(env.geo, product()));
        pull(inner, mean);
      }
    }
    if constexpr (wants_value) {
      auto const adjoint = map(
          env.geo, [](T g, T weight) { return g * weight; }, gradient, p);
      auto const fitted = fit<std::remove_cvref_t<decltype(value.value)>::extent_of>(env.geo, adjoint);
      pull_chosen<chooses_part<Unit, 1>>(unit.value, env, value, fitted, sink);
    }
  }
}
template <int I, int Blocks, class Score, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_unit(softmax_unit<Score, Value> const& unit, Env const& env, Offset const (&)[Blocks],
                           Sink& sink) {
  pull_softmax<I, field_leaf<I, gradient_field>>(unit, env, sink);
}
template <int I, int Blocks, class Score, class Value, class Env, class Offset, class Sink>
EDGEWISE_HD void pull_unit(edge_softmax_unit<Score, Value> const& unit, Env const& env, Offset const (&)[Blocks],
                           Sink& sink) {
  pull_softmax<I, edge_gradient_leaf>(unit, env, sink);
}

}  // namespace edgewise::detail
