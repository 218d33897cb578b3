// What a plan asks of an engine for the gradients of max and min: to visit the edges that were picked.
#pragma once

#include <edgewise/pass/argument_pass.hpp>
#include <edgewise/program/gradient_pointer.hpp>

namespace edgewise::inline v0::detail {

/// `argument_engine<cpu>` (engine/cpu/argument_engine.hpp), `argument_engine<cuda>` (engine/cuda/argument_engine.cuh).
///   takes<Accumulator>                             does it form gradients of this type?
///   is_worth_it<Atomic>(counts, row elements)      is a traversal of the edges slower, where there is one?
///   bytes<Accumulator>(room)                       memory for the sums of gradients of sources
///   is_kept_clear                                  must this memory be zero before the first run? Runs leave it so
///   run<Atomic>(exec, pass, room, chunk, memory)   asynchronous
template <class Exec>
struct argument_engine {
  static_assert(sizeof(Exec) == 0,
                "exec: has no engine here for gradients of max and min (engine/argument_concept.hpp); to run on cuda "
                "include edgewise/edgewise.cuh, in a .cu file");
};

/// What a plan makes room for: it does not know which gradients will be asked for, nor, if it is for a capacity, the
/// graph.
struct argument_room {
  int gradients = 0;  ///< of sources, at most
  std::int64_t sources = 0;
  std::int64_t elements = 0;  ///< of a row
};

/// Stores what belongs to one channel of one row alone. Gradients of edges add to rows that were cleared before, or
/// hold what is to be added to.
template <class Bound, class T>
EDGEWISE_HD void store_own(gradient_pointer<Bound> const& to, std::int64_t row, std::int64_t element, T x) {
  typename Bound::storage* const place = to.data + row * to.row_stride + element;
  bool const adds = Bound::leaf::role_of == role::edge || to.accumulate;
  *place = static_cast<typename Bound::storage>(adds ? static_cast<T>(*place) + x : x);
}

template <class T, class List>
inline constexpr int position_of = -1;
template <class T, class... Rest>
inline constexpr int position_of<T, type_list<T, Rest...>> = 0;
template <class T, class First, class... Rest>
inline constexpr int position_of<T, type_list<First, Rest...>> = 1 + position_of<T, type_list<Rest...>>;

}  // namespace edgewise::inline v0::detail
