// Adjoints of what was not chosen: they are 0, and stay 0 on their way to the operands, whatever they meet.
#pragma once

#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// Below what chooses (a maximum, a mask), an adjoint of 0 says that the value was not chosen. Operations on the way to
/// this sink keep it by selection: times an infinite derivative it would be NaN.
template <class Sink>
struct selecting_sink {
  static constexpr bool selects_adjoints = true;
  Sink& sink;

  template <class E>
  static consteval bool wants() {
    return Sink::template wants<E>();
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const& env, Adjoint const& adjoint) {
    sink.template add<Leaf>(env, adjoint);
  }
};

template <class Sink>
concept selects_adjoints = requires {
  requires Sink::selects_adjoints;
};

/// Operations choose among their arguments, or may, where they say `static constexpr bool chooses = true`.
template <class Op>
concept operation_chooses = requires {
  requires Op::chooses;
};

/// Leaves and constants have nothing below them that could select.
template <class E>
concept has_arguments = requires {
  typename E::arguments;
};

/// Pulls an expression that something above it chooses, or not.
template <bool IsChosen, class E, class Env, class Record, class Adjoint, class Sink>
EDGEWISE_HD void pull_chosen(E const& expression, Env const& env, Record const& record, Adjoint const& adjoint,
                             Sink& sink) {
  if constexpr (IsChosen && has_arguments<E> && !selects_adjoints<Sink>) {
    selecting_sink<Sink> selecting{sink};
    expression.pull(env, record, adjoint, selecting);
  } else {
    expression.pull(env, record, adjoint, sink);
  }
}

}  // namespace edgewise::inline v0::detail
