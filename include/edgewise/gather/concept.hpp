// The contract of gathers: a monoid over scalars, applied lane by lane, and what its backward pass reads.
#pragma once

#include <type_traits>

#include <edgewise/config.hpp>
#include <edgewise/core/type_list.hpp>

namespace edgewise {

/// What an edge reads per destination, lane by lane, to find the adjoint of its message. `gradient` is the adjoint of
/// the gather's value, `saved<I>` what the forward pass kept, `prepared<I>` what the per-vertex stage made.
struct gradient_field {};
template <int I>
struct saved_field {};
template <int I>
struct prepared_field {};

/// A gather G. Laws: with `identity`, `fold` and `merge` it is a monoid over messages in edge order, so a row may be
/// cut anywhere: fold of a concatenation = merge of the folds. `adjoint` is linear in the gradient.
///
///   template <class T, class Offset> struct state;                         // trivially copyable, per lane
///   static constexpr bool needs_edge;                                      // does `fold` use the edge's id?
///   identity<T, Offset>() -> state;  fold(state&, T message, Offset edge);  merge(state& into, state const& later)
///   finish(state, Offset degree) -> T                                       // the gather's value; 0 for empty rows
///   template <class T, class Offset> using saved = type_list<...>;          // scalars kept per lane for the backward
///   pass save<I>(state, Offset degree) -> saved scalar I static constexpr int num_prepared; // scalars made per vertex
///   and lane prepare<I>(T gradient, Offset degree, saved...) -> T using reads = type_list<fields...>;  adjoint(T
///   message, Offset edge, fields...) -> T static constexpr bool reads_message, reads_edge;                        //
///   in `adjoint` static constexpr bool picks_edge = true;                                // optional, see `picks_edge`
///   below
template <class G>
struct require_gather {
  static_assert(
      requires { G::name; }, "gather G: needs 'static constexpr char const* name' (gather/concept.hpp)");
  static_assert(
      requires { typename G::template state<float, int>; },
      "gather G: needs 'template <class T, class Offset> struct state' (gather/concept.hpp)");
  static_assert(
      requires { G::template identity<float, int>(); },
      "gather G: needs 'identity<T, Offset>()', the state of an empty row (gather/concept.hpp)");
  static_assert(
      requires { G::needs_edge; }, "gather G: needs 'static constexpr bool needs_edge' (gather/concept.hpp)");
  static_assert(
      requires {
        typename G::reads;
        G::num_prepared;
      },
      "gather G: needs 'reads' and 'num_prepared', what its backward pass uses (gather/concept.hpp)");
  static constexpr bool ok = true;
};

namespace detail {

template <class G>
concept says_picks_edge = requires {
  G::picks_edge;
};

/// Is the value of G one of its messages, in each lane that of an edge of its own? Then `save<0>`, the only one, gives
/// the number that this edge was folded with, -1 in empty rows, and `adjoint` is the gradient along this edge and 0
/// along all others. Traversals fold such states with positions of edges in the grouping, which cost nothing, and look
/// ids up when a row is finished; fields are ids.
template <class G>
inline constexpr bool picks_edge = false;
template <says_picks_edge G>
inline constexpr bool picks_edge<G> = G::picks_edge;

}  // namespace detail

}  // namespace edgewise
