// Maximum and minimum of the messages of a row, with the edge that attains it.
#pragma once

#include <edgewise/core/lanes.hpp>
#include <edgewise/core/scalar.hpp>
#include <edgewise/gather/concept.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Largest (Sign = 1) or smallest (Sign = -1) message. Ties: the first edge of the row. A NaN message wins and stays.
template <int Sign>
struct extremum {
  static constexpr bool is_lanewise = true;
  static constexpr bool needs_edge = true;
  static constexpr bool picks_edge = true;

  template <class T, class Offset>
  struct alignas(sizeof(T) > sizeof(Offset) ? 2 * sizeof(T) : 2 * sizeof(Offset)) state {
    T best;
    Offset argument;  ///< the edge that holds `best`; -1 while there is none
  };
  template <class T, class Offset>
  using fields = type_list<T, Offset>;
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0), Offset(-1)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset edge) {
    auto const no_worse = Sign > 0 ? message <= s.best : message >= s.best;  // false for a NaN on either side
    if constexpr (is_lanes<T>) {
      auto const takes = (!no_worse && s.best == s.best) || s.argument < Offset(0);
      s = {select(takes, message, s.best), select(takes, edge, s.argument)};
    } else {
      if ((!no_worse && s.best == s.best) || s.argument < 0) s = {message, edge};
    }
  }
  /// Folds N messages, none of them NaN: the best of them by a tournament, then one fold.
  template <int N, class T, class Offset>
  EDGEWISE_HD static void fold_numbers(state<T, Offset>& s, T const (&messages)[N], Offset const (&edges)[N]) {
    state<T, Offset> best[N];
    EDGEWISE_UNROLL
    for (int b = 0; b < N; ++b) best[b] = {messages[b], edges[b]};
    EDGEWISE_UNROLL
    for (int step = 1; step < N; step *= 2) {
      EDGEWISE_UNROLL
      for (int b = 0; b + step < N; b += 2 * step) {
        bool const later = Sign > 0 ? best[b + step].best > best[b].best : best[b + step].best < best[b].best;
        best[b].best = later ? best[b + step].best : best[b].best;
        best[b].argument = later ? best[b + step].argument : best[b].argument;
      }
    }
    bool const better = Sign > 0 ? best[0].best > s.best : best[0].best < s.best;  // never than a NaN
    bool const takes = better || s.argument < 0;
    s.best = takes ? best[0].best : s.best;
    s.argument = takes ? best[0].argument : s.argument;
  }

  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    if constexpr (is_lanes<T>) {
      state<T, Offset> both = into;
      fold(both, later.best, later.argument);
      auto const found = later.argument >= Offset(0);
      into = {select(found, both.best, into.best), select(found, both.argument, into.argument)};
    } else {
      if (later.argument >= 0) fold(into, later.best, later.argument);
    }
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset) {
    if constexpr (is_lanes<T>) {
      return select(s.argument < Offset(0), T(0), s.best);
    } else {
      return s.argument < 0 ? T(0) : s.best;
    }
  }

  template <class T, class Offset>
  using saved = type_list<Offset>;
  template <int I, class T, class Offset>
  EDGEWISE_HD static Offset save(state<T, Offset> const& s, Offset) {
    return s.argument;
  }
  static constexpr int num_prepared = 0;
  using reads = type_list<gradient_field, saved_field<0>>;
  static constexpr bool reads_message = false;
  static constexpr bool reads_edge = true;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T, Offset edge, T gradient, Offset argument) {
    return edge == argument ? gradient : T(0);
  }
};

/// `max(a, b)` and `min(a, b)` are refused by a sentence.
template <class A>
struct require_no_max_of_two {
  static_assert(sizeof(A) == 0, "max: is a gather, gather<max>(x); the larger of two is maximum(a, b)");
  static constexpr bool ok = false;
};
template <class A>
struct require_no_min_of_two {
  static_assert(sizeof(A) == 0, "min: is a gather, gather<min>(x); the smaller of two is minimum(a, b)");
  static constexpr bool ok = false;
};

}  // namespace detail

/// out = largest message, saved argument = id of the first edge that attains it. Empty rows: 0 and argument -1.
/// NaN messages win. The gradient goes to the argument alone.
struct max : detail::extremum<1> {
  static constexpr char const* name = "max";
  max() = default;
  /// Chosen for the larger of two, to say what it is called.
  template <class A, class B, bool = detail::require_no_max_of_two<A>::ok>
  max(A const&, B const&);
};

/// out = smallest message; otherwise as `max`.
struct min : detail::extremum<-1> {
  static constexpr char const* name = "min";
  min() = default;
  /// Chosen for the smaller of two, to say what it is called.
  template <class A, class B, bool = detail::require_no_min_of_two<A>::ok>
  min(A const&, B const&);
};

}  // namespace edgewise::inline v0
