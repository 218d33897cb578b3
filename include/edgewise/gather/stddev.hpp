// Standard deviation of the messages of a row.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/gather/concept.hpp>

namespace edgewise::inline v0 {

/// out = sqrt(variance + 1e-5), the variance over the row's edges (divided by their number); 0 for empty rows.
/// Mean and squared deviations are merged pairwise, so large means lose no digits (Chan, Golub & LeVeque 1983).
/// Adjoint of a message: gradient (message - mean) / (edges * out), which is 0 at variance 0.
struct stddev {
  static constexpr char const* name = "stddev";
  static constexpr bool needs_edge = false;
  static constexpr double epsilon = 1e-5;

  template <class T, class Offset>
  struct state {
    T mean;
    T deviation;  ///< sum of squared differences from the mean
    T count;
    T unused;  ///< keeps a channel's state a power of two of bytes
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0), T(0), T(0), T(0)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    s.count += T(1);
    T const before = message - s.mean;
    s.mean += before / s.count;
    s.deviation += before * (message - s.mean);
  }
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    T const count = into.count + later.count;
    if (later.count == T(0)) return;
    T const difference = later.mean - into.mean;
    into.deviation += later.deviation + difference * difference * (into.count * later.count / count);
    into.mean += difference * (later.count / count);
    into.count = count;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset degree) {
    return degree > 0 ? edgewise::sqrt(s.deviation / static_cast<T>(degree) + static_cast<T>(epsilon)) : T(0);
  }

  template <class T, class Offset>
  using saved = type_list<T, T>;
  template <int I, class T, class Offset>
  EDGEWISE_HD static T save(state<T, Offset> const& s, Offset degree) {
    return I == 0 ? s.mean : finish(s, degree);
  }
  static constexpr int num_prepared = 1;
  template <int I, class T, class Offset>
  EDGEWISE_HD static T prepare(T gradient, Offset degree, T, T result) {
    return degree > 0 ? gradient / (static_cast<T>(degree) * result) : T(0);
  }
  using reads = type_list<prepared_field<0>, saved_field<0>>;
  static constexpr bool reads_message = true;
  static constexpr bool chooses = true;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T message, Offset, T slope, T mean) {
    return slope * (message - mean);
  }
};

}  // namespace edgewise::inline v0
