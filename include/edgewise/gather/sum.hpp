// Sum and mean of the messages of a row.
#pragma once

#include <edgewise/gather/concept.hpp>

namespace edgewise::inline v0 {

/// out = sum of messages; 0 for empty rows. Adjoint of a message: the gradient.
struct sum {
  static constexpr char const* name = "sum";
  static constexpr bool is_lanewise = true;
  static constexpr bool needs_edge = false;

  template <class T, class Offset>
  struct state {
    T total;
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    s.total += message;
  }
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    into.total += later.total;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset) {
    return s.total;
  }

  template <class T, class Offset>
  using saved = type_list<>;
  static constexpr int num_prepared = 0;
  using reads = type_list<gradient_field>;
  static constexpr bool reads_message = false;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T, Offset, T gradient) {
    return gradient;
  }
};

/// out = sum of messages / number of edges; 0 for empty rows. Adjoint of a message: gradient / number of edges.
struct mean : sum {
  static constexpr char const* name = "mean";

  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset degree) {
    return degree > 0 ? s.total / static_cast<T>(degree) : T(0);
  }

  static constexpr int num_prepared = 1;
  using reads = type_list<prepared_field<0>>;
  template <int I, class T, class Offset>
  EDGEWISE_HD static T prepare(T gradient, Offset degree) {
    return degree > 0 ? gradient / static_cast<T>(degree) : T(0);
  }
};

}  // namespace edgewise::inline v0
