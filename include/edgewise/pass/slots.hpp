// Slots: where the pieces of a cut row leave their partial states, and how they come back.
#pragma once

#include <cstdint>

#include <edgewise/pass/load_store.hpp>

namespace edgewise::inline v0::detail {

/// Bytes of one component of a state for a whole row, rounded so that the next one is aligned for wide access.
template <class V, class Geometry>
EDGEWISE_HD std::int64_t component_bytes(Geometry const& geo) {
  std::int64_t const elements =
      V::extent_of == extent::wide ? std::int64_t{geo.heads} * geo.channels : (rank(V::extent_of) == 1 ? geo.heads : 1);
  return (elements * static_cast<std::int64_t>(sizeof(typename V::scalar)) + 15) / 16 * 16;
}

/// Writes a component of a completed state; heads and rows that threads hold copies of are written by one.
template <class Geometry, class V>
EDGEWISE_HD void write_component(Geometry const& geo, void* place, V const& v) {
  using scalar = typename V::scalar;
  auto* const to = static_cast<scalar*>(place);
  EDGEWISE_UNROLL
  for (int c = 0; c < used_chunks<V::extent_of>(geo); ++c) {
    if constexpr (V::extent_of == extent::wide) {
      int const valid = geo.valid_channels(c);
      if constexpr (Geometry::access_of == access::chunk) {
        if (valid > 0) write_words<V::channels>(to + geo.offset(c), elements_of(v.v[0][c]));
      } else {
        EDGEWISE_UNROLL
        for (int l = 0; l < V::channels; ++l) {
          if (l < valid) to[geo.offset(c) + l] = v.at(0, c, l);
        }
      }
    } else if constexpr (rank(V::extent_of) == 1) {
      if (geo.leads_head(c)) to[geo.head(c)] = v.at(0, c, 0);
    } else {
      if (geo.leads_row()) to[0] = v.at(0, 0, 0);
    }
  }
}

/// Reads N elements from the level-2 cache: another multiprocessor wrote them during this launch.
template <int N, class T>
EDGEWISE_HD void read_shared_words(T const* from, T (&to)[N]) {
#if defined(__CUDA_ARCH__)
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 16; ++i) {
      int4 const word = __ldcg(reinterpret_cast<int4 const*>(from) + i);
      memcpy(reinterpret_cast<char*>(to) + 16 * i, &word, 16);
    }
  } else {
    static_assert(bytes % 4 == 0);
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / 4; ++i) {
      int const word = __ldcg(reinterpret_cast<int const*>(from) + i);
      memcpy(reinterpret_cast<char*>(to) + 4 * i, &word, 4);
    }
  }
#else
  for (int i = 0; i < N; ++i) to[i] = from[i];  // g++ 12 warns of a memcpy here: of a chunk that a row never has
#endif
}

/// Reads what `write_component` wrote; what lies outside this tile (another group may still be writing it) is not read.
template <class Geometry, class V>
EDGEWISE_HD void read_component(Geometry const& geo, void const* place, V& v) {
  using scalar = typename V::scalar;
  auto const* const from = static_cast<scalar const*>(place);
  EDGEWISE_UNROLL
  for (int c = 0; c < used_chunks<V::extent_of>(geo); ++c) {
    if constexpr (V::extent_of == extent::wide) {
      if constexpr (Geometry::access_of == access::chunk) {
        if (geo.valid(c)) read_shared_words<V::channels>(from + geo.offset(c), elements_of(v.v[0][c]));
      } else {
        int const valid = geo.valid_channels(c);
        EDGEWISE_UNROLL
        for (int l = 0; l < V::channels; ++l) {
          if (l < valid) read_shared_words<1>(from + geo.offset(c) + l, reinterpret_cast<scalar(&)[1]>(v.v[0][c][l]));
        }
      }
    } else if constexpr (rank(V::extent_of) == 1) {
      if (geo.valid_head(c)) read_shared_words<1>(from + geo.head(c), v.v[0][c]);
    } else {
      read_shared_words<1>(from, v.v[0][0]);
    }
  }
}

/// Write and read the components of a state, one behind the other from `*place` on. No lambdas: a slot is of both
/// machines.
template <class Geometry>
struct slot_writer {
  Geometry const& geo;
  char** place;
  template <class V>
  EDGEWISE_HD void operator()(V const& v) const {
    write_component(geo, *place, v);
    *place += component_bytes<V>(geo);
  }
};
template <class Geometry>
struct slot_reader {
  Geometry const& geo;
  char const** place;
  template <class V>
  EDGEWISE_HD void operator()(V& v) const {
    read_component(geo, *place, v);
    *place += component_bytes<V>(geo);
  }
};

}  // namespace edgewise::inline v0::detail
