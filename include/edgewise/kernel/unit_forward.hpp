// The forward step of units: fold a block of edges into the state of a row, merge states, finish.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/kernel/environment.hpp>
#include <edgewise/program/unit.hpp>

namespace edgewise::detail {

/// The running state of a unit for one row; `components(f)` calls f on every register value that it is made of.
template <class Unit, class Env, class Offset>
struct unit_state;

template <class Gather, class Message, class Env, class Offset>
struct unit_state<reduce_unit<Gather, Message>, Env, Offset> {
  using unit = reduce_unit<Gather, Message>;
  using geometry = typename Env::geometry;
  using T = typename Env::accumulator;
  using message_value = std::remove_cvref_t<decltype(std::declval<Message const&>().trace(std::declval<Env const&>()).value)>;
  using lane_state = typename Gather::template state<T, Offset>;
  using content_type =
      register_value<lane_state, message_value::extent_of, 1, geometry::max_chunks, geometry::lanes_per_chunk>;
  static constexpr extent extent_of = message_value::extent_of;
  static constexpr bool needs_edge = Gather::needs_edge;

  content_type content;

  EDGEWISE_HD void start(geometry const& geo) { fill(geo, content, Gather::template identity<T, Offset>()); }

  template <int Blocks, class AnyUnit, class BlockEnv>
  EDGEWISE_HD void fold(AnyUnit const& u, BlockEnv const& env, bool const (&ok)[Blocks], Offset const (&edges)[Blocks]) {
    auto const message = u.message.trace(env).value;
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      if (ok[b]) {
        for_each_entry<content_type>(env.geo,
                                     [&](int, int c, int l) { Gather::fold(content.at(0, c, l), message.at(b, c, l), edges[b]); });
      }
    }
  }
  EDGEWISE_HD void merge(geometry const& geo, unit_state const& later) {
    for_each_entry<content_type>(geo, [&](int, int c, int l) { Gather::merge(content.at(0, c, l), later.content.at(0, c, l)); });
  }
  EDGEWISE_HD auto finish(geometry const& geo, Offset degree) const {
    return map(geo, [degree](lane_state const& s) { return Gather::finish(s, degree); }, content);
  }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    f(content);
  }
  /// Calls f(index_constant<I>, value) for every field kept for the backward pass.
  template <class F>
  EDGEWISE_HD void save(geometry const& geo, Offset degree, F const& f) const {
    using saved = typename Gather::template saved<T, Offset>;
    if constexpr (saved::size > 0) {
      for_each_index<saved::size>([&](auto index) {
        constexpr int I = decltype(index)::value;
        f(index, map(geo, [degree](lane_state const& s) { return Gather::template save<I>(s, degree); }, content));
      });
    }
  }
};

template <class Score, class Value, class Env, class Offset>
struct unit_state<softmax_unit<Score, Value>, Env, Offset> {
  using unit = softmax_unit<Score, Value>;
  using geometry = typename Env::geometry;
  using T = typename Env::accumulator;
  using score_value = std::remove_cvref_t<decltype(std::declval<Score const&>().trace(std::declval<Env const&>()).value)>;
  using value_value = std::remove_cvref_t<decltype(std::declval<Value const&>().trace(std::declval<Env const&>()).value)>;
  using score_state = register_value<T, score_value::extent_of, 1, geometry::max_chunks, geometry::lanes_per_chunk>;
  static constexpr extent extent_of = join(score_value::extent_of, value_value::extent_of);
  using total_state = register_value<T, extent_of, 1, geometry::max_chunks, geometry::lanes_per_chunk>;
  static constexpr bool needs_edge = false;

  total_state total;    ///< sum of exp(score - largest) * value
  score_state largest;  ///< -inf before the first edge
  score_state weight;   ///< sum of exp(score - largest)

  EDGEWISE_HD void start(geometry const& geo) {
    fill(geo, total, T(0));
    fill(geo, largest, negative_infinity<T>());
    fill(geo, weight, T(0));
  }

  /// Online softmax over a block of edges: one rescale a block. Milakov & Gimelshein 2018.
  template <int Blocks, class AnyUnit, class BlockEnv>
  EDGEWISE_HD void fold(AnyUnit const& u, BlockEnv const& env, bool const (&ok)[Blocks], Offset const (&)[Blocks]) {
    auto const score = u.score.trace(env).value;
    register_value<T, score_value::extent_of, Blocks, geometry::max_chunks, geometry::lanes_per_chunk> p;
    score_state rescale;
    for_each_entry<score_state>(env.geo, [&](int, int c, int l) {
      T const before = largest.at(0, c, l);
      T now = before;
      EDGEWISE_UNROLL
      for (int b = 0; b < Blocks; ++b) {
        T const s = ok[b] ? score.at(b, c, l) : negative_infinity<T>();
        p.at(b, c, l) = s;
        now = larger_number(now, s);  // a NaN score makes its weight NaN below
      }
      // A row whose scores are all -inf keeps weight 0, and no (-inf) - (-inf) is formed.
      T const base = now == negative_infinity<T>() ? T(0) : now;
      rescale.at(0, c, l) = fast_exp(before - base);
      T sum = weight.at(0, c, l) * rescale.at(0, c, l);
      EDGEWISE_UNROLL
      for (int b = 0; b < Blocks; ++b) {
        p.at(b, c, l) = fast_exp(p.at(b, c, l) - base);
        sum += p.at(b, c, l);
      }
      weight.at(0, c, l) = sum;
      largest.at(0, c, l) = now;
    });
    auto const x = u.value.trace(env).value;
    for_each_entry<total_state>(env.geo, [&](int, int c, int l) { total.at(0, c, l) *= rescale.at(0, c, l); });
    EDGEWISE_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      if (ok[b]) {
        for_each_entry<total_state>(env.geo, [&](int, int c, int l) {
          // A masked edge (score -inf) is left out by selection: its value may be NaN or infinite.
          T const sum = multiply_add(p.at(b, c, l), x.at(b, c, l), total.at(0, c, l));
          total.at(0, c, l) = p.at(b, c, l) == T(0) ? total.at(0, c, l) : sum;
        });
      }
    }
  }
  EDGEWISE_HD void merge(geometry const& geo, unit_state const& later) {
    score_state mine;
    score_state its;
    for_each_entry<score_state>(geo, [&](int, int c, int l) {
      T const now = larger_number(largest.at(0, c, l), later.largest.at(0, c, l));
      T const base = now == negative_infinity<T>() ? T(0) : now;
      mine.at(0, c, l) = fast_exp(largest.at(0, c, l) - base);
      its.at(0, c, l) = fast_exp(later.largest.at(0, c, l) - base);
      largest.at(0, c, l) = now;
      weight.at(0, c, l) = weight.at(0, c, l) * mine.at(0, c, l) + later.weight.at(0, c, l) * its.at(0, c, l);
    });
    for_each_entry<total_state>(geo, [&](int, int c, int l) {
      total.at(0, c, l) = total.at(0, c, l) * mine.at(0, c, l) + later.total.at(0, c, l) * its.at(0, c, l);
    });
  }
  EDGEWISE_HD auto finish(geometry const& geo, Offset) const {
    return map(geo, [](T t, T w) { return w == T(0) ? T(0) : t / w; }, total, weight);
  }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    f(total);
    f(largest);
    f(weight);
  }
  /// Saved: log of the sum of exponentials of the scores; -inf for rows without weight.
  template <class F>
  EDGEWISE_HD void save(geometry const& geo, Offset, F const& f) const {
    f(index_constant<0>{}, map(geo, [](T m, T w) { return w == T(0) ? negative_infinity<T>() : m + edgewise::log(w); }, largest, weight));
  }
};

}  // namespace edgewise::detail
