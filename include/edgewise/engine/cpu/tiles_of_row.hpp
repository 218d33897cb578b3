// How the CPU cuts rows of one axis into tiles whose sizes the compiler knows.
#pragma once

#include <edgewise/core/lanes.hpp>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/register/host_geometry.hpp>

namespace edgewise::inline v0::detail {

/// Four chunks of floats are eight vector registers of 32 bytes, half of what there is, and all of those of 16 bytes.
inline constexpr bool holds_four_chunks = host_vector_bytes != 16;

/// The tiles that make up channels [first, last) of a row of one axis: `operator()(f)` calls f(tile) for each, all
/// but the last ones without a mask. L: channels of a chunk. Most: those of the rows that this is compiled for, or 0.
template <int L, int Most>
struct tiles_of_row {
  static constexpr bool has_four = !has_few_geometries && holds_four_chunks && (Most == 0 || Most >= 4 * L);
  static constexpr bool has_two =
      !has_few_geometries && (Most == 0 || (holds_four_chunks ? Most % (4 * L) : Most) >= 2 * L);
  static constexpr bool has_one = has_few_geometries || Most == 0 || Most % (2 * L) > 0;
  /// Channels that whole tiles take without a mask; 0: none do.
  static constexpr int whole_channels = has_few_geometries ? L : has_two ? 2 * L : has_four ? 4 * L : 0;

  int first;
  int last;
  int channels;  ///< of the row

  /// Inlined: a call for each row takes as long as two of its edges.
  template <class F>
  EDGEWISE_ALWAYS_INLINE void operator()(F const& f) const {
    int i = first;
    if constexpr (has_few_geometries) {
      for (; i < last; i += L) f(host_tile<1, L, access::element>{channels, i});
    } else {
      if constexpr (has_four) {
        for (; last - i >= 4 * L; i += 4 * L) f(host_tile<4, L, access::chunk>{channels, i});
      }
      if constexpr (has_two) {
        for (; last - i >= 2 * L; i += 2 * L) f(host_tile<2, L, access::chunk>{channels, i});
      }
      if constexpr (has_one) {
        for (; i < last; i += L) f(host_tile<1, L, access::element>{channels, i});
      }
    }
  }
};

}  // namespace edgewise::inline v0::detail
