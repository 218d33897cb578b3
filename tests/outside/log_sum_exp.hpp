// A gather from outside the library: a smooth maximum. The skeleton of docs/add_a_gather.md.
#pragma once

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin gather]
/// out = log(sum of exp(message)); 0 for empty rows. Adjoint of a message: gradient * exp(message - out).
struct log_sum_exp {
  static constexpr char const* name = "log_sum_exp";
  static constexpr bool needs_edge = false;  // does `fold` use the edge id?

  // What one channel of a row holds on the way: 4, 8 or 16 bytes of trivially copyable scalars.
  template <class T, class Offset>
  struct alignas(2 * sizeof(T)) state {
    T largest;
    T total;  // sum of exp(message - largest)
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(-3e38), T(0)};  // finite, so that no (-inf) - (-inf) is formed
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset /*edge*/) {
    merge(s, state<T, Offset>{message, T(1)});
  }
  // Rows are cut where the library likes: merge(fold(..), fold(..)) is fold of all.
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    T const largest = ew::maximum(into.largest, later.largest);
    into.total = into.total * ew::exp(into.largest - largest) + later.total * ew::exp(later.largest - largest);
    into.largest = largest;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset degree) {
    return degree > 0 ? s.largest + ew::log(s.total) : T(0);
  }

  // Backward: what the forward pass keeps per row and channel, what a per-vertex stage prepares from it (nothing here),
  // and the adjoint of a message from the fields that it reads.
  template <class T, class Offset>
  using saved = ew::type_list<T>;
  template <int I, class T, class Offset>
  EDGEWISE_HD static T save(state<T, Offset> const& s, Offset degree) {
    return finish(s, degree);
  }
  static constexpr int num_prepared = 0;
  using reads = ew::type_list<ew::gradient_field, ew::saved_field<0>>;
  static constexpr bool reads_message = true;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T message, Offset /*edge*/, T gradient, T result) {
    return gradient * ew::exp(message - result);
  }
};
// [end gather]

}  // namespace outside
