// Heads and channels of rows that are known when a program is compiled.
#pragma once

#include <edgewise/core/error.hpp>
#include <edgewise/core/extents.hpp>

namespace edgewise::inline v0 {

/// Rows of exactly Heads x Channels: each pass is compiled for these alone, into at most two kernels (rows that allow
/// 16-byte words and others), and a plan refuses other rows. A program over many widths wants `any_extents`.
template <int Heads, int Channels>
struct static_extents {
  static_assert(Heads > 0 && Channels > 0, "static_extents: a row has at least one head and one channel");
  static constexpr int heads = Heads;
  static constexpr int channels = Channels;
};

/// The default: rows of any number of heads and channels, known when a plan is made.
struct any_extents {};

namespace detail {

template <class Extents>
inline constexpr bool is_static_extents = false;
template <int Heads, int Channels>
inline constexpr bool is_static_extents<static_extents<Heads, Channels>> = true;

template <class Extents>
concept row_extents_type = std::is_same_v<Extents, any_extents> || is_static_extents<Extents>;

/// Throws `invalid_argument` where the operands' rows are not those that the program was compiled for.
template <class Extents>
row_extents check_static_extents(row_extents extents) {
  if constexpr (is_static_extents<Extents>) {
    if (extents.heads != Extents::heads || extents.channels != Extents::channels) {
      throw invalid_argument(text("plan: the program was fused for rows of ", Extents::heads, " heads x ",
                                  Extents::channels, " channels (static_extents), the operands' have ", extents.heads,
                                  " x ", extents.channels));
    }
  }
  return extents;
}

}  // namespace detail
}  // namespace edgewise::inline v0
