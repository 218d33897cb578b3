// Product of the messages of a row, with the exact gradient where factors are zero.
#pragma once

#include <cstdint>

#include <edgewise/core/with_tangent.hpp>
#include <edgewise/gather/concept.hpp>

namespace edgewise::inline v0 {

/// out = product of messages; 0 for empty rows. Saved: the product of the non-zero messages and how many are zero (2
/// stands for more), so that the adjoint of each message is the gradient times the product of the others, exactly.
struct prod {
  static constexpr char const* name = "prod";
  static constexpr bool needs_edge = false;

  template <class T, class Offset>
  struct alignas(2 * sizeof(T)) state {
    T nonzero;
    std::int32_t zeros;  ///< 0, 1, or 2 for more
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    static_assert(!detail::has_tangent<T>,
                  "gather<prod>: has no tangents, since a message of 0 would need those of all others; of positive "
                  "messages write exp(gather<sum>(log(x))) (gather/prod.hpp)");
    return {T(1), 0};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    if (message == T(0)) {
      s.zeros = s.zeros < 2 ? s.zeros + 1 : 2;
    } else {
      s.nonzero *= message;
    }
  }
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    into.nonzero *= later.nonzero;
    into.zeros = into.zeros + later.zeros < 2 ? into.zeros + later.zeros : 2;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset degree) {
    return degree > 0 && s.zeros == 0 ? s.nonzero : (s.nonzero != s.nonzero ? s.nonzero : T(0));
  }

  template <class T, class Offset>
  using saved = type_list<T, std::int32_t>;
  template <int I, class T, class Offset>
  EDGEWISE_HD static auto save(state<T, Offset> const& s, Offset) {
    if constexpr (I == 0) {
      return s.nonzero;
    } else {
      return s.zeros;
    }
  }
  static constexpr int num_prepared = 1;
  /// What a non-zero message divides by itself where none is zero, and what the only zero message receives.
  template <int I, class T, class Offset>
  EDGEWISE_HD static T prepare(T gradient, Offset, T nonzero, std::int32_t zeros) {
    return zeros < 2 ? gradient * nonzero : T(0);
  }

  using reads = type_list<prepared_field<0>, saved_field<1>>;
  static constexpr bool reads_message = true;
  static constexpr bool chooses = true;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T message, Offset, T others, std::int32_t zeros) {
    if (message == T(0)) return others;
    return zeros == 0 ? others / message : T(0);
  }
};

}  // namespace edgewise::inline v0
