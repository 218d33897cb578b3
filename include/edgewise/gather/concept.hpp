// The contract of gathers: a monoid over scalars, applied channel by channel, and what its backward pass reads.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/type_list.hpp>

namespace edgewise::inline v0 {

/// What an edge reads per destination, channel by channel, to find the adjoint of its message. `gradient` is the
/// adjoint of the gather's value, `saved<I>` what the forward pass kept, `prepared<I>` what the per-vertex stage made.
struct gradient_field {};
template <int I>
struct saved_field {};
template <int I>
struct prepared_field {};

namespace detail {

/// Can states move between threads and to memory as whole words?
template <class State>
inline constexpr bool is_whole_words = std::is_trivially_copyable_v<State> && sizeof(State) >= 4 &&
                                       (sizeof(State) & (sizeof(State) - 1)) == 0;

/// What a field holds in a program of float. Saved: the gather's list.
template <class Field, class Saved>
struct field_value {
  using type = float;
};
template <int I, class Saved>
struct field_value<saved_field<I>, Saved> {
  using type = type_at<I, Saved>;
};

/// Is there a P-th `prepare` of these saved scalars, and an `adjoint` of these fields?
template <class G, int P, class... Saved>
consteval bool prepares(type_list<Saved...>) {
  return requires(Saved const&... saved) { static_cast<float>(G::template prepare<P>(1.0f, 1, saved...)); };
}
template <class G, class Saved, class... Field>
consteval bool has_adjoint(type_list<Field...>) {
  return requires(typename field_value<Field, Saved>::type const&... field) {
    static_cast<float>(G::adjoint(1.0f, 1, field...));
  };
}
template <class G>
consteval bool prepares_all() {
  using saved = typename G::template saved<float, int>;
  return []<int... P>(std::integer_sequence<int, P...>) { return (prepares<G, P>(saved{}) && ...); }
  (std::make_integer_sequence<int, G::num_prepared>{});
}

}  // namespace detail

/// A gather G. Laws: with `identity`, `fold` and `merge` it is a monoid over messages in edge order, so a row may be
/// cut anywhere: fold of a concatenation = merge of the folds. `adjoint` is linear in the gradient.
///
///   static constexpr char const* name;
///   template <class T, class Offset> struct state;                  // trivially copyable, per channel of a row
///   static constexpr bool needs_edge;                               // does `fold` use the edge's id?
///   state identity<T, Offset>();
///   void fold(state&, T message, Offset edge);
///   void merge(state& into, state const& later);
///   T finish(state const&, Offset degree);                          // the gather's value; 0 for empty rows
///
///   template <class T, class Offset> using saved = type_list<...>;  // kept per row and channel for the backward pass
///   save<I, T, Offset>(state const&, Offset degree);                // scalar I of these
///   static constexpr int num_prepared;                              // scalars made per vertex and channel
///   T prepare<P, T, Offset>(T gradient, Offset degree, saved...);   // the P-th of these
///   using reads = type_list<fields...>;                             // what `adjoint` is given
///   T adjoint(T message, Offset edge, fields...);
///   static constexpr bool reads_message, reads_edge;                // in `adjoint`
///   static constexpr bool picks_edge = true;                        // optional: is the value one of the messages?
///   static constexpr bool chooses = true;                           // optional: are messages of adjoint 0 left out?
///   static constexpr bool is_lanewise = true;                       // optional: do these functions take vectors?
///   template <class T, class Offset> using fields = type_list<...>; // with it: of a state that is more than a T
///
/// With `picks_edge` the value is, in each channel, the message of one edge: `save<0>`, the only one, gives the number
/// that this edge was folded with, -1 in empty rows, and `adjoint` is the gradient along this edge and 0 along all
/// others. With `chooses`, which `picks_edge` implies unless it is said, a message whose adjoint is 0 does not matter:
/// nothing that it was computed from gets a gradient, whatever the derivatives, infinite ones too.
/// With `is_lanewise` the CPU hands `fold`, `merge`, `finish` and `save` several channels at once: numbers with
/// arithmetic, comparisons and `detail::select`. A state is one T, or a T and an Offset of its size, of which there are
/// then several, too.
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
  static_assert(detail::is_whole_words<typename G::template state<float, int>>,
                "gather G: its state is not trivially copyable or not a power of two of bytes, at least 4; align it so "
                "(gather/concept.hpp)");
  static_assert(
      requires(typename G::template state<float, int> & s) { G::fold(s, 1.0f, 1); },
      "gather G: needs 'fold(state<T, Offset>&, T message, Offset edge)' (gather/concept.hpp)");
  static_assert(
      requires(typename G::template state<float, int> const& s) { static_cast<float>(G::finish(s, 1)); },
      "gather G: needs 'T finish(state<T, Offset> const&, Offset degree)' (gather/concept.hpp)");
  static_assert(
      requires(typename G::template state<float, int> & s) { G::merge(s, s); },
      "gather G: needs 'merge(state<T, Offset>& into, state<T, Offset> const& later)' (gather/concept.hpp)");
  static_assert(
      requires { G::needs_edge; }, "gather G: needs 'static constexpr bool needs_edge' (gather/concept.hpp)");
  static_assert(
      requires { typename G::template saved<float, int>; },
      "gather G: needs 'template <class T, class Offset> using saved', the scalars that its backward pass needs, or an "
      "empty type_list (gather/concept.hpp)");
  static_assert(
      requires {
        typename G::reads;
        G::num_prepared;
      },
      "gather G: needs 'reads' and 'num_prepared', what its backward pass uses (gather/concept.hpp)");
  static_assert(
      requires {
        G::reads_message;
        G::reads_edge;
      },
      "gather G: needs 'static constexpr bool reads_message' and 'reads_edge', of 'adjoint' (gather/concept.hpp)");
  static_assert(detail::prepares_all<G>(),
                "gather G: needs 'T prepare<P>(T gradient, Offset degree, saved...)', num_prepared of them "
                "(gather/concept.hpp)");
  static_assert(detail::has_adjoint<G, typename G::template saved<float, int>>(typename G::reads{}),
                "gather G: needs 'T adjoint(T message, Offset edge, fields...)', the fields of 'reads' in their order "
                "(gather/concept.hpp)");
  static constexpr bool ok = true;
};

namespace detail {

template <class G>
concept says_picks_edge = requires {
  G::picks_edge;
};

/// Does G say `picks_edge`? Traversals fold such states with positions of edges in the grouping, which cost nothing,
/// and look ids up when a row is finished; fields are ids.
template <class G>
inline constexpr bool picks_edge = false;
template <says_picks_edge G>
inline constexpr bool picks_edge<G> = G::picks_edge;

/// What G says of `chooses`.
template <class G>
inline constexpr bool gather_chooses = picks_edge<G>;
template <class G>
requires requires { G::chooses; }
inline constexpr bool gather_chooses<G> = G::chooses;

}  // namespace detail

}  // namespace edgewise::inline v0
