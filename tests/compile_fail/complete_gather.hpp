// A gather with all that the contract asks for: the gathers that are refused hide a part of it.
#pragma once

#include <edgewise/edgewise.hpp>

struct complete_gather {
  static constexpr char const* name = "total";
  static constexpr bool needs_edge = false;
  template <class T, class Offset>
  struct state {
    T sum;
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    s.sum += message;
  }
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    into.sum += later.sum;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset) {
    return s.sum;
  }
  template <class T, class Offset>
  using saved = edgewise::type_list<>;
  static constexpr int num_prepared = 0;
  using reads = edgewise::type_list<edgewise::gradient_field>;
  static constexpr bool reads_message = false;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T, Offset, T gradient) {
    return gradient;
  }
};
static_assert(edgewise::require_gather<complete_gather>::ok);

struct h;
