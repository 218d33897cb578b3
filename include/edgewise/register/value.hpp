// Register values: what one thread holds of an expression node for a block of edges, and channel-wise maps over them.
#pragma once

#include <type_traits>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/lanes.hpp>
#include <edgewise/register/row_layout.hpp>

// A value holds as many chunks as a geometry may have, and sets those in use, a run-time number on the host. g++ cannot
// see that the others are never read.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace edgewise::inline v0 {

/// Over which axes a register value varies. The partial extents belong to adjoints on their way to a smaller operand:
/// each thread holds the sum over its own channels, and the sum over threads is still to be taken.
enum class extent { uniform, narrow, wide, uniform_partial, narrow_partial };

namespace detail {

EDGEWISE_HD constexpr bool is_partial(extent e) { return e == extent::uniform_partial || e == extent::narrow_partial; }
EDGEWISE_HD constexpr bool is_uniform(extent e) { return e == extent::uniform || e == extent::uniform_partial; }
EDGEWISE_HD constexpr int rank(extent e) { return is_uniform(e) ? 0 : (e == extent::wide ? 2 : 1); }

/// The extent of a function of two values. A partial value only meets values of its own rank or below.
EDGEWISE_HD constexpr extent join(extent a, extent b) {
  extent const larger = rank(a) >= rank(b) ? a : b;
  bool const partial = is_partial(a) || is_partial(b);
  if (!partial) return larger;
  return rank(larger) == 0 ? extent::uniform_partial : extent::narrow_partial;
}
EDGEWISE_HD constexpr int larger(int a, int b) { return a > b ? a : b; }

/// Chunks of so many channels, or a multiple, are lanes on the host where they hold floats or doubles.
inline constexpr int channels_of_lanes = 8;

template <class T, int N, bool HasLanes>
struct chunk_storage {
  using type = T[N];
};
template <class T, int N>
struct chunk_storage<T, N, true> {
  using type = lane_chunk<T, N>;
};

}  // namespace detail

/// T v[Edges][chunks][channels]: for each of Edges edges (1: the same for all), this thread's chunks of a row.
/// wide: one entry per channel; narrow: one per chunk, the value of the chunk's head; uniform: one.
template <class T, extent E, int Edges, int Chunks, int Channels>
struct EDGEWISE_HAS_LANES register_value {
  using scalar = T;
  static constexpr extent extent_of = E;
  static constexpr int edges = Edges;
  static constexpr int geometry_chunks = Chunks;
  static constexpr int geometry_channels = Channels;
  static constexpr int chunks = detail::is_uniform(E) ? 1 : Chunks;
  static constexpr int channels = E == extent::wide ? Channels : 1;
  static constexpr bool has_lanes =
      detail::has_lanes_here && detail::fills_lanes<T> && channels % detail::channels_of_lanes == 0;

  using chunk_type = typename detail::chunk_storage<T, channels, has_lanes>::type;
  chunk_type v[Edges][chunks];

  EDGEWISE_HD T const& at(int block, int chunk, int channel) const {
    return v[Edges == 1 ? 0 : block][detail::is_uniform(E) ? 0 : chunk][E == extent::wide ? channel : 0];
  }
  EDGEWISE_HD T& at(int block, int chunk, int channel) {
    return v[Edges == 1 ? 0 : block][detail::is_uniform(E) ? 0 : chunk][E == extent::wide ? channel : 0];
  }
  /// A group of lanes; of a value without channels its one number.
  EDGEWISE_HD auto const& at(int block, int chunk, [[maybe_unused]] detail::lane_group group) const {
    if constexpr (has_lanes) {
      return v[Edges == 1 ? 0 : block][chunk].groups[group.i];
    } else {
      static_assert(channels == 1);
      return at(block, chunk, 0);
    }
  }
  EDGEWISE_HD auto& at(int block, int chunk, detail::lane_group group) requires has_lanes {
    return v[Edges == 1 ? 0 : block][chunk].groups[group.i];
  }
};

namespace detail {

template <class V>
inline constexpr bool is_value = false;
template <class T, extent E, int B, int C, int L>
inline constexpr bool is_value<register_value<T, E, B, C, L>> = true;

/// How many chunks of a value of extent E are in use: a compile-time number on the device, a run-time one on the host.
template <extent E, class Geometry>
EDGEWISE_HD int used_chunks(Geometry const& geometry) {
  if constexpr (is_uniform(E)) {
    return 1;
  } else {
    return geometry.chunks();
  }
}

/// Does an entry of a value of extent E belong to the row, rather than to channels or heads outside of it?
template <extent E, class Geometry>
EDGEWISE_HD bool is_inside(Geometry const& geometry, [[maybe_unused]] int chunk, [[maybe_unused]] int channel) {
  if constexpr (E == extent::wide) {
    return channel < geometry.valid_channels(chunk);
  } else if constexpr (rank(E) == 1) {
    return geometry.valid_head(chunk);
  } else {
    return true;
  }
}

/// Chunks of a geometry whose number the compiler knows although it is the host's, and which are few; 0 otherwise.
template <class Geometry>
inline constexpr int fixed_chunk_count = 0;
template <class Geometry>
requires requires { Geometry::fixed_chunk_count; }
inline constexpr int fixed_chunk_count<Geometry> = Geometry::fixed_chunk_count;

/// Chunks of a geometry of the host whose number the compiler knows; 0 otherwise.
template <class Geometry>
inline constexpr int known_chunk_count = 0;
template <class Geometry>
requires requires { Geometry::known_chunk_count; }
inline constexpr int known_chunk_count<Geometry> = Geometry::known_chunk_count;

/// Heads of a geometry whose chunks are a head each, where the compiler knows how many; 0 otherwise.
template <class Geometry>
inline constexpr int fixed_heads = 0;
template <class Geometry>
requires requires { Geometry::fixed_heads; }
inline constexpr int fixed_heads<Geometry> = Geometry::fixed_heads;

/// Calls f(c) for each chunk of a geometry of the host. Where the compiler knows how many there are it sees no loop:
/// g++ unrolls one only after it has decided which arrays stay in memory.
template <class Geometry, class F>
EDGEWISE_HD void for_each_chunk(Geometry const& geometry, F const& f) {
  if constexpr (known_chunk_count < Geometry >> 0) {
    [&]<int... C>(std::integer_sequence<int, C...>) EDGEWISE_INLINE_LAMBDA { (f(C), ...); }
    (std::make_integer_sequence<int, known_chunk_count<Geometry>>{});
  } else {
    for (int c = 0; c < geometry.chunks(); ++c) f(c);
  }
}

/// Calls f(block, chunk, channel) for every entry of a value of type V.
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class V, class Geometry, class F>
EDGEWISE_HD void for_each_entry(Geometry const& geometry, F const& f) {
  EDGEWISE_UNROLL
  for (int b = 0; b < V::edges; ++b) {
    EDGEWISE_UNROLL
    for (int c = 0; c < used_chunks<V::extent_of>(geometry); ++c) {
      EDGEWISE_UNROLL
      for (int l = 0; l < V::channels; ++l) f(b, c, l);
    }
  }
}

/// `for_each_entry` of a value without channels, for work that is long: where the compiler knows the chunks, without a
/// loop, in which g++ would keep what repeats a head, and all of the thread's vectors, in memory.
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class V, class Geometry, class F>
EDGEWISE_HD void for_each_number(Geometry const& geometry, F const& f) {
  if constexpr (fixed_chunk_count < Geometry >> 0 && V::channels == 1 && !is_uniform(V::extent_of)) {
    for (int b = 0; b < V::edges; ++b) {
      [&]<int... C>(std::integer_sequence<int, C...>) { (f(b, C, 0), ...); }
      (std::make_integer_sequence<int, fixed_chunk_count<Geometry>>{});
    }
  } else {
    for_each_entry<V>(geometry, f);
  }
}

/// `for_each_entry`, where f takes a group of lanes as well as a channel: `at(block, chunk, group)` is then several
/// numbers.
EDGEWISE_HD_AS_ITS_ARGUMENT
template <class V, class Geometry, class F>
EDGEWISE_HD void for_each_lanes(Geometry const& geometry, F const& f) {
  if constexpr (V::has_lanes) {
    for (int b = 0; b < V::edges; ++b) {
      for_each_chunk(geometry, [&](int c) EDGEWISE_INLINE_LAMBDA {
        for (int g = 0; g < V::chunk_type::num_groups; ++g) f(b, c, lane_group{g});
      });
    }
  } else {
    for_each_entry<V>(geometry, f);
  }
}

template <class R, class... V>
struct mapped;
template <class R, class T, extent E, int B, int C, int L>
struct mapped<R, register_value<T, E, B, C, L>> {
  using type = register_value<R, E, B, C, L>;
};
template <class R, class T, extent E, int B, class U, extent F, int D, int C, int L, class... Rest>
struct mapped<R, register_value<T, E, B, C, L>, register_value<U, F, D, C, L>, Rest...>
    : mapped<R, register_value<R, join(E, F), larger(B, D), C, L>, Rest...> {};

/// The value type of a channel-wise function with results R over values V: extents and blocks broadcast.
template <class R, class... V>
using mapped_t = typename mapped<R, V...>::type;

template <class V, class... Rest>
struct first_of {
  using type = V;
};

/// Heads as lanes: as many, each a chunk of its own, as a vector register has numbers of type T.
template <class T, class Geometry>
using head_lanes = typename lane_chunk<T, fixed_heads<Geometry>>::group_type;
/// Does a value have one number for each of so many heads?
template <class V, class Geometry>
inline constexpr bool has_head_lanes = [] {
  constexpr int heads = fixed_heads<Geometry>;
  return has_lanes_here && heads > 0 && heads % 4 == 0 && rank(V::extent_of) == 1 &&
         std::is_floating_point_v<typename V::scalar>;
}();

/// The numbers of a block's heads from chunk c on.
template <class Lanes, class V>
EDGEWISE_HD Lanes load_heads(V const& v, int block, int c) {
  if constexpr (is_uniform(V::extent_of)) {
    return Lanes(v.at(block, 0, 0));
  } else {
    return Lanes::load(&v.at(block, c, 0));
  }
}
/// Calls f(block, c) for the first chunk c of each group of lanes.
template <class V, class Geometry, class F>
EDGEWISE_HD void for_each_head_lanes(Geometry const&, F const& f) {
  for (int b = 0; b < V::edges; ++b) {
    for (int c = 0; c < fixed_heads<Geometry>; c += head_lanes<typename V::scalar, Geometry>::count) f(b, c);
  }
}

/// May a value R be computed from values V with heads as lanes?
template <class Geometry, class R, class... V>
inline constexpr bool all_have_head_lanes = has_head_lanes<R, Geometry> && ((rank(V::extent_of) < 2) && ...) &&
                                            (std::is_same_v<typename R::scalar, typename V::scalar> && ...);
/// May a value R be computed from values V lane by lane?
template <class R, class... V>
inline constexpr bool all_have_lanes = R::has_lanes && ((V::has_lanes || V::channels == 1) && ...) &&
                                       (std::is_same_v<typename R::scalar, typename V::scalar> && ...);

/// Does chunk c of a value of extent E go on with the head of the chunk before it, so that both hold one number? A
/// thread of the host has all chunks of a head, and calls a function for what a device computes in each thread.
template <extent E, class Geometry>
EDGEWISE_HD bool repeats_head([[maybe_unused]] Geometry const& geometry, [[maybe_unused]] int c) {
#if defined(__CUDA_ARCH__)
  return false;
#else
  if constexpr (E == extent::narrow) {
    return c > 0 && !geometry.leads_head(c);
  } else {
    return false;
  }
#endif
}

/// Applies f channel by channel: result(b, c, l) = f(values(b, c, l)...), smaller values broadcast. Lanewise: f takes
/// lanes, too.
template <bool Lanewise = false, class Geometry, class F, class... V>
EDGEWISE_HD auto map(Geometry const& geometry, F const& f, V const&... values) {
  using result_scalar = decltype(f(values.at(0, 0, 0)...));
  mapped_t<result_scalar, V...> result;
  if constexpr (Lanewise && all_have_lanes<decltype(result), V...>) {
    using group_type = typename decltype(result)::chunk_type::group_type;
    for_each_lanes<decltype(result)>(geometry, [&](int b, int c, lane_group l) {
      result.at(b, c, l) = f(spread<group_type>(values.at(b, c, l))...);
    });
    return result;
  } else if constexpr (Lanewise && all_have_head_lanes<Geometry, decltype(result), V...>) {
    using lanes_type = head_lanes<result_scalar, Geometry>;
    for_each_head_lanes<decltype(result)>(geometry, [&](int b, int c) EDGEWISE_INLINE_LAMBDA {
      f(load_heads<lanes_type>(values, b, c)...).store(&result.at(b, c, 0));
    });
    return result;
  }
  for_each_entry<decltype(result)>(geometry, [&](int b, int c, int l) {
    if (repeats_head<decltype(result)::extent_of>(geometry, c)) {
      result.at(b, c, l) = result.at(b, c - 1, l);
    } else {
      result.at(b, c, l) = f(values.at(b, c, l)...);
    }
  });
  return result;
}

/// Sets every entry.
template <class V, class Geometry>
EDGEWISE_HD void fill(Geometry const& geometry, V& v, typename V::scalar const& x) {
  for_each_lanes<V>(geometry, [&](int b, int c, auto l) {
    auto& place = v.at(b, c, l);
    place = spread<std::remove_cvref_t<decltype(place)>>(x);
  });
}
/// to += from, for one block of `from`.
template <class V, class U, class Geometry>
EDGEWISE_HD void add_block(Geometry const& geometry, V& to, U const& from, int block) {
  for_each_lanes<V>(geometry, [&](int b, int c, auto l) {
    auto& sum = to.at(b, c, l);
    sum += spread<std::remove_cvref_t<decltype(sum)>>(from.at(block, c, l));
  });
}

/// The sum over the channels of `count` chunks of lanes from `first` on that lie in the row: lane by lane, then of the
/// lanes.
template <class Geometry, class T, int N>
EDGEWISE_HD T sum_of_chunks(Geometry const& geometry, lane_chunk<T, N> const* chunks, int first, int count) {
  using group_type = typename lane_chunk<T, N>::group_type;
  auto sum = group_type(T(0));
  for (int c = first; c < first + count; ++c) {
    int const valid = geometry.valid_channels(c);
    for (int g = 0; g < lane_chunk<T, N>::num_groups; ++g) {
      int const left = valid - g * group_type::count;
      if (left >= group_type::count) {
        sum += chunks[c].groups[g];
      } else if (left > 0) {
        sum += select(group_type::condition::first(left), chunks[c].groups[g], group_type(T(0)));
      }
    }
  }
  return sum.sum();
}

/// The adjoint of a node of extent Target, from the adjoint of something it was broadcast into: sums what this thread
/// holds over the axes that the target lacks; sums over threads are left to `complete`. Channels and heads outside the
/// row are left out by selection, so whatever they hold (infinities too) reaches nobody. An adjoint of the target's
/// extent is returned as it came, as a reference.
template <extent Target, class Geometry, class T, extent E, int B, int C, int L>
EDGEWISE_HD decltype(auto) fit(Geometry const& geometry, register_value<T, E, B, C, L> const& adjoint) {
  if constexpr (rank(E) <= rank(Target)) {
    return (adjoint);
  } else if constexpr (E == extent::wide) {
    constexpr extent narrowed = rank(Target) == 1 ? extent::narrow_partial : extent::uniform_partial;
    register_value<T, narrowed, B, C, L> result;
    if constexpr (register_value<T, E, B, C, L>::has_lanes) {
      int const together = narrowed == extent::narrow_partial ? geometry.chunks_per_head() : geometry.chunks();
      for (int b = 0; b < B; ++b) {
        for (int c = 0; c < geometry.chunks(); c += together) {  // the first of a head's chunks has the head's sum
          result.at(b, c, 0) = sum_of_chunks(geometry, adjoint.v[b], c, together);
          for (int other = 1; other < together; ++other) {
            if constexpr (narrowed == extent::narrow_partial) result.at(b, c + other, 0) = T(0);
          }
        }
      }
      return result;
    }
    EDGEWISE_UNROLL
    for (int b = 0; b < B; ++b) {
      [[maybe_unused]] T total = T(0);
      EDGEWISE_UNROLL
      for (int c = 0; c < geometry.chunks(); ++c) {
        // Chunks lie in the row as a whole or not at all: a pass that sums channels reads no gaps.
        bool const whole = Geometry::access_of == access::chunk;
        T sum = whole || geometry.valid_channels(c) > 0 ? adjoint.at(b, c, 0) : T(0);
        EDGEWISE_UNROLL
        for (int l = 1; l < L; ++l) sum += whole || l < geometry.valid_channels(c) ? adjoint.at(b, c, l) : T(0);
        if (whole) sum = geometry.valid(c) ? sum : T(0);
        if constexpr (narrowed == extent::narrow_partial) {
          result.at(b, c, 0) = sum;
        } else {
          total = c == 0 ? sum : total + sum;
        }
      }
      if constexpr (narrowed == extent::uniform_partial) result.at(b, 0, 0) = total;
    }
    return result;
  } else {
    register_value<T, extent::uniform_partial, B, C, L> result;
    fill(geometry, result, T(0));
    for_each_entry<register_value<T, E, B, C, L>>(geometry, [&](int b, int c, int) {
      bool const counts = E == extent::narrow_partial ? geometry.valid_channels(c) > 0 : geometry.owns_head(c);
      result.at(b, 0, 0) += counts ? adjoint.at(b, c, 0) : T(0);
    });
    return result;
  }
}

/// Like `fit`, but to a partial sum even where the adjoint already has the target's extent: of a replicated value one
/// thread keeps it and the others hold zero. What gradient accumulators hold.
template <extent Target, class Geometry, class T, extent E, int B, int C, int L>
EDGEWISE_HD decltype(auto) fit_partial(Geometry const& geometry, register_value<T, E, B, C, L> const& adjoint) {
  if constexpr (rank(Target) == 2 || is_partial(E) || rank(E) > rank(Target)) {
    return fit<Target>(geometry, adjoint);
  } else {
    constexpr extent partial = rank(Target) == 1 ? extent::narrow_partial : extent::uniform_partial;
    register_value<T, partial, B, C, L> result;
    for_each_entry<decltype(result)>(geometry, [&](int b, int c, int) {
      bool const keeps = rank(Target) == 1 ? geometry.owns_head(c) : geometry.owns_row();
      result.at(b, c, 0) = keeps ? adjoint.at(b, c, 0) : T(0);
    });
    return result;
  }
}

/// Takes the sum over threads of a partial value; other values pass.
template <class Geometry, class T, extent E, int B, int C, int L>
EDGEWISE_HD auto complete(Geometry const& geometry, register_value<T, E, B, C, L> const& adjoint) {
  if constexpr (E == extent::narrow_partial) {
    register_value<T, extent::narrow, B, C, L> result;
    for_each_entry<decltype(result)>(geometry, [&](int b, int c, int) { result.at(b, c, 0) = adjoint.at(b, c, 0); });
    geometry.sum_heads_in_place(result);
    return result;
  } else if constexpr (E == extent::uniform_partial) {
    register_value<T, extent::uniform, B, C, L> result;
    for_each_entry<decltype(result)>(geometry, [&](int b, int, int) { result.at(b, 0, 0) = adjoint.at(b, 0, 0); });
    geometry.sum_row_in_place(result);
    return result;
  } else {
    return adjoint;
  }
}

/// Calls f(block, chunk, sum) for the sums over threads of a partial value, each once, from one thread that has it:
/// whoever stores them needs no copies. Which thread has which block may be known at run time only.
template <class Geometry, class T, extent E, int B, int C, int L, class F>
EDGEWISE_HD void for_each_sum(Geometry const& geometry, register_value<T, E, B, C, L> const& adjoint, F const& f) {
  static_assert(is_partial(E));
  if constexpr (E == extent::narrow_partial) {
    register_value<T, extent::narrow, B, C, L> sums;
    for_each_entry<decltype(sums)>(geometry, [&](int b, int c, int) { sums.at(b, c, 0) = adjoint.at(b, c, 0); });
    geometry.for_each_head_sum(sums, f);
  } else {
    register_value<T, extent::uniform, B, C, L> sums;
    for_each_entry<decltype(sums)>(geometry, [&](int b, int, int) { sums.at(b, 0, 0) = adjoint.at(b, 0, 0); });
    geometry.for_each_row_sum(sums, f);
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
