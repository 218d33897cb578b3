// The forward step of aggregations: fold a block of edges into the state of a row, merge states, finish.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/lane_states.hpp>
#include <edgewise/pass/softmax_weights.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/softmax_so_far.hpp>

namespace edgewise::inline v0::detail {

/// Gathers that also fold a block of messages at once, if none of them is NaN (gather/max.hpp).
template <class Gather, class T, class Offset, int Edges>
concept folds_numbers = requires(typename Gather::template state<T, Offset>& state, T const (&messages)[Edges],
                                 Offset const (&edges)[Edges]) {
  Gather::fold_numbers(state, messages, edges);
};

/// The running state of an aggregation for one row; `components(f)` calls f on every register value that it is made of.
template <class Aggregation, class Env, class Offset>
struct aggregation_state;

/// What holds the states: lanes of their fields, or one state for each channel.
template <bool ByLanes, class Gather, class Offset, class Fields, class State, class Like>
struct content_of {
  using type = register_value<State, Like::extent_of, 1, Like::geometry_chunks, Like::geometry_channels>;
};
template <class Gather, class Offset, class Fields, class State, class Like>
struct content_of<true, Gather, Offset, Fields, State, Like> {
  using type = lane_states<Gather, Offset, Fields, Like::extent_of, Like::geometry_chunks, Like::geometry_channels>;
};

template <class Gather, class Message, class Env, class Offset>
struct aggregation_state<reduce_aggregation<Gather, Message>, Env, Offset> {
  using aggregation = reduce_aggregation<Gather, Message>;
  using geometry = typename Env::geometry;
  using T = typename Env::accumulator;
  using message_value =
      std::remove_cvref_t<decltype(std::declval<Message const&>().trace(std::declval<Env const&>()).value)>;
  using channel_state = typename Gather::template state<T, Offset>;
  using fields = typename lane_fields<Gather, T, Offset>::type;
  static constexpr bool by_lanes = is_lanewise<Gather> && message_value::has_lanes && have_size_of<T>(fields{});
  using content_type = typename content_of<by_lanes, Gather, Offset, fields, channel_state, message_value>::type;
  static constexpr extent extent_of = message_value::extent_of;
  static constexpr bool needs_edge = Gather::needs_edge;

  content_type content;

  EDGEWISE_HD void start(geometry const& geo) {
    if constexpr (by_lanes) {
      content.start(geo);
    } else {
      fill(geo, content, Gather::template identity<T, Offset>());
    }
  }

  template <int Edges, class AnyAggregation, class BlockEnv>
  EDGEWISE_HD void fold(AnyAggregation const& u, BlockEnv const& env, edge_mask<Edges> const& ok,
                        Offset const (&edges)[Edges]) {
    auto const traced = u.message.trace(env);
    auto const& message = traced.value;
    // As fast as folding one by one, or faster, for rows of up to 128 elements; wider ones have no registers for it
    // (docs/tuning.md, R44).
    if constexpr (Edges > 1 && geometry::max_chunks == 1 && folds_numbers<Gather, T, Offset, Edges>) {
      if (ok[Edges - 1] && has_numbers(env.geo, message)) {
        for_each_entry<content_type>(env.geo, [&](int, int c, int l) {
          T block[Edges];
          EDGEWISE_UNROLL
          for (int b = 0; b < Edges; ++b) block[b] = message.at(b, c, l);
          Gather::fold_numbers(content.at(0, c, l), block, edges);
        });
        return;
      }
    }
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      if (ok[b]) {
        auto const edge = spread_offset(edges[b]);
        for_each_state(env.geo, [&](auto& state, int c, auto l)
                                    EDGEWISE_INLINE_LAMBDA { Gather::fold(state, message.at(b, c, l), edge); });
      }
    }
  }
  /// Is no message of the block NaN? Two at a time.
  template <class V>
  EDGEWISE_HD static bool has_numbers(geometry const& geo, V const& message) {
    bool any_nan = false;
    EDGEWISE_UNROLL
    for (int b = 0; b < V::edges; b += 2) {
      int const other = b + 1 < V::edges ? b + 1 : b;
      for_each_entry<content_type>(geo, [&](int, int c, int l) {
        T const one = message.at(b, c, l), next = message.at(other, c, l);
        any_nan = any_nan || one != one || next != next;  // one instruction
      });
    }
    return !any_nan;
  }
  EDGEWISE_HD void merge(geometry const& geo, aggregation_state const& later) {
    if constexpr (by_lanes) {
      for_each_state(geo, [&](auto& state, int c, lane_group l)
                              EDGEWISE_INLINE_LAMBDA { Gather::merge(state, later.content.at(c, l)); });
    } else {
      for_each_state(geo, [&](auto& state, int c, int l)
                              EDGEWISE_INLINE_LAMBDA { Gather::merge(state, later.content.at(0, c, l)); });
    }
  }
  EDGEWISE_HD auto finish(geometry const& geo, Offset degree) const {
    if constexpr (by_lanes) {
      auto const edges = spread_offset(degree);
      return content.template map_states<T>(
          geo, [&](auto const& s) EDGEWISE_INLINE_LAMBDA { return Gather::finish(s, edges); });
    } else {
      return map(
          geo, [degree](channel_state const& s) { return Gather::finish(s, degree); }, content);
    }
  }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    if constexpr (by_lanes) {
      content.components(f);
    } else {
      f(content);
    }
  }
  /// Calls f(index_constant<I>, value) for every field kept for the backward pass.
  template <class F>
  EDGEWISE_HD void save(geometry const& geo, Offset degree, F const& f) const {
    using saved = typename Gather::template saved<T, Offset>;
    if constexpr (saved::size > 0) {
      for_each_index<saved::size>([&](auto index) {
        constexpr int I = decltype(index)::value;
        if constexpr (by_lanes) {
          auto const edges = spread_offset(degree);
          f(index, content.template map_states<type_at<I, saved>>(
                       geo, [&](auto const& s) EDGEWISE_INLINE_LAMBDA { return Gather::template save<I>(s, edges); }));
        } else {
          f(index, map(
                       geo, [degree](channel_state const& s) { return Gather::template save<I>(s, degree); }, content));
        }
      });
    }
  }

private:
  EDGEWISE_HD static auto spread_offset(Offset x) {
    if constexpr (by_lanes) {
      return content_type::spread_offset(x);
    } else {
      return x;
    }
  }
  /// Calls f(state, chunk, channel or group of lanes) for the states of all channels, one by one or in lanes.
  template <class F>
  EDGEWISE_HD void for_each_state(geometry const& geo, F const& f) {
    if constexpr (by_lanes) {
      for_each_lanes<typename content_type::value_type>(geo, [&](int, int c, lane_group l) EDGEWISE_INLINE_LAMBDA {
        auto state = content.at(c, l);
        f(state, c, l);
        content.set(c, l, state);
      });
    } else {
      for_each_entry<content_type>(geo,
                                   [&](int, int c, int l) EDGEWISE_INLINE_LAMBDA { f(content.at(0, c, l), c, l); });
    }
  }
};

template <class Score, class Value, class Env, class Offset>
struct aggregation_state<softmax_aggregation<Score, Value>, Env, Offset> {
  using aggregation = softmax_aggregation<Score, Value>;
  using geometry = typename Env::geometry;
  using T = typename Env::accumulator;
  using weights_type = softmax_weights<Score, Env>;
  using score_state = typename weights_type::score_state;
  using value_value =
      std::remove_cvref_t<decltype(std::declval<Value const&>().trace(std::declval<Env const&>()).value)>;
  static constexpr extent extent_of = join(score_state::extent_of, value_value::extent_of);
  using total_state = register_value<T, extent_of, 1, geometry::max_chunks, geometry::channels_per_chunk>;
  static constexpr bool needs_edge = false;

  total_state total;  ///< sum of exp(score - largest) * value
  weights_type weights;

  EDGEWISE_HD void start(geometry const& geo) {
    fill(geo, total, T(0));
    weights.start(geo);
  }

  template <int Edges, class AnyAggregation, class BlockEnv>
  EDGEWISE_HD void fold(AnyAggregation const& u, BlockEnv const& env, edge_mask<Edges> const& ok,
                        Offset const (&)[Edges]) {
    auto const traced_score = u.score.trace(env);
    auto const& score = traced_score.value;
    typename weights_type::template block<Edges> p;
    score_state rescale;
    weights.template fold<Edges>(env.geo, score, ok, p, rescale);
    auto const traced_value = u.value.trace(env);
    auto const& x = traced_value.value;
    if constexpr (total_state::has_lanes && !score_state::has_lanes) {
      for_each_lanes<total_state>(env.geo, [&](int, int c, auto l) EDGEWISE_INLINE_LAMBDA {
        auto& place = total.at(0, c, l);
        using lanes_type = std::remove_cvref_t<decltype(place)>;
        lanes_type sum = place * lanes_type(rescale.at(0, c, 0));
        EDGEWISE_UNROLL
        for (int b = 0; b < Edges; ++b) {
          T const weight = p.at(b, c, 0);
          if (ok[b] && weight != T(0)) sum += lanes_type(weight) * spread<lanes_type>(x.at(b, c, l));
        }
        place = sum;
      });
      return;
    } else {
      for_each_entry<total_state>(env.geo, [&](int, int c, int l) { total.at(0, c, l) *= rescale.at(0, c, l); });
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        if (ok[b]) {
          for_each_entry<total_state>(env.geo, [&](int, int c, int l) {
            // A masked edge (score -inf) is left out by selection: its value may be NaN or infinite.
            T const sum = multiply_add(p.at(b, c, l), x.at(b, c, l), total.at(0, c, l));
            total.at(0, c, l) = p.at(b, c, l) == T(0) ? total.at(0, c, l) : sum;
          });
        }
      }
    }
  }
  /// What other edges of the row amount to is a piece of it.
  template <int Edges, class Largest, class Weight, class OfEdges, class BlockEnv>
  EDGEWISE_HD void fold(softmax_so_far<Largest, Weight, OfEdges> const& u, BlockEnv const& env, edge_mask<Edges> const&,
                        Offset const (&)[Edges]) {
    auto const largest = u.largest.trace(env);
    auto const weight = u.weight.trace(env);
    auto const mean = u.value.trace(env);
    aggregation_state other;
    for_each_entry<score_state>(env.geo, [&](int, int c, int l) {
      other.weights.largest.at(0, c, l) = largest.value.at(0, c, l);
      other.weights.weight.at(0, c, l) = weight.value.at(0, c, l);
    });
    for_each_entry<total_state>(env.geo, [&](int, int c, int l) {
      other.total.at(0, c, l) = mean.value.at(0, c, l) * other.weights.weight.at(0, c, l);
    });
    merge(env.geo, other);
  }
  EDGEWISE_HD void merge(geometry const& geo, aggregation_state const& later) {
    score_state mine;
    score_state its;
    weights.merge(geo, later.weights, mine, its);
    for_each_entry<total_state>(geo, [&](int, int c, int l) {
      total.at(0, c, l) = total.at(0, c, l) * mine.at(0, c, l) + later.total.at(0, c, l) * its.at(0, c, l);
    });
  }
  EDGEWISE_HD auto finish(geometry const& geo, Offset) const {
    // One division per head: a weight is 0, or 1 at least, since the edge of the largest score has 1.
    auto const share = map(
        geo, [](T w) { return w == T(0) ? T(0) : fast_reciprocal(w); }, weights.weight);
    return map<true>(
        geo, [](auto t, auto s) { return t * s; }, total, share);
  }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    f(total);
    weights.components(f);
  }
  /// Saved: the normalizer of the row's scores.
  template <class F>
  EDGEWISE_HD void save(geometry const& geo, Offset, F const& f) const {
    f(index_constant<0>{}, weights.normalizers(geo));
  }
};

/// The weights alone: a row's normalizer.
template <class Score, class Env, class Offset>
struct aggregation_state<normalizer_aggregation<Score>, Env, Offset> {
  using geometry = typename Env::geometry;
  using weights_type = softmax_weights<Score, Env>;
  using score_state = typename weights_type::score_state;
  static constexpr extent extent_of = score_state::extent_of;
  static constexpr bool needs_edge = false;

  weights_type weights;

  EDGEWISE_HD void start(geometry const& geo) { weights.start(geo); }
  template <int Edges, class AnyAggregation, class BlockEnv>
  EDGEWISE_HD void fold(AnyAggregation const& u, BlockEnv const& env, edge_mask<Edges> const& ok,
                        Offset const (&)[Edges]) {
    typename weights_type::template block<Edges> p;
    score_state rescale;
    weights.template fold<Edges>(env.geo, u.score.trace(env).value, ok, p, rescale);
  }
  EDGEWISE_HD void merge(geometry const& geo, aggregation_state const& later) {
    score_state mine;
    score_state its;
    weights.merge(geo, later.weights, mine, its);
  }
  EDGEWISE_HD auto finish(geometry const& geo, Offset) const { return weights.normalizers(geo); }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    weights.components(f);
  }
  template <class F>
  EDGEWISE_HD void save(geometry const&, Offset, F const&) const {}
};

}  // namespace edgewise::inline v0::detail
