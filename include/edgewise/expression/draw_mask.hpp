// Drawing of masks: which elements a dropout keeps, for a block of edges.
#pragma once

#include <edgewise/core/random.hpp>
#include <edgewise/register/exchange.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// Which entries of a value of extent E are kept: bit l of entry (block, chunk) is channel l. Each element of the value
/// draws its bits by its place in a row of the value itself, the same in every geometry and in every program: head *
/// channels + channel, head, channel or 0, by the axes that the value has.
template <extent E, int Edges, int Chunks, int Channels>
using kept_bits = register_value<std::uint32_t, E == extent::wide ? extent::narrow : E, Edges, Chunks, Channels>;

/// Over how many neighbouring threads the edges of a block are dealt, where threads draw the same numbers: those of a
/// head or an edge. Four chunks side by side are of one group of four heads.
template <class Geometry, int Edges>
inline constexpr int sharers_of_draws = [] {
#if defined(__CUDA_ARCH__)
  if constexpr (requires { Geometry::is_block_wide; }) {
    if (Geometry::is_block_wide || Geometry::max_chunks > 8 || (Edges & (Edges - 1)) != 0) return 1;
    int const most = Geometry::group_size < 4 ? Geometry::group_size : 4;
    return Edges < most ? Edges : most;
  }
#endif
  return 1;
}();

/// Bit i: is the i-th of the four elements of a draw kept?
EDGEWISE_HD std::uint32_t kept_of_four(philox_pair const& drawn, std::uint32_t threshold) {
  std::uint32_t kept = 0;
  EDGEWISE_UNROLL
  for (std::uint32_t i = 0; i < 4; ++i) kept |= (upper_bits_of(drawn, i) >= threshold ? 1u : 0u) << i;
  return kept;
}

/// Is one element kept?
EDGEWISE_HD bool is_kept(mask_key const& key, random_owner owner, std::uint64_t number, std::uint32_t element,
                         std::uint32_t threshold) {
  if (threshold == 0 || !key.draws) return true;  // the same for the whole grid
  philox_pair pair[1] = {mask_counter(key, owner, number, element >> 2)};
  draw_pairs(pair, key.key);
  return upper_bits_of(pair[0], element) >= threshold;
}

/// Masks over channels: four of them by one draw.
template <bool DiffersByHead, class Geometry, int Edges, class Numbers, class Kept>
EDGEWISE_HD void draw_channels(Geometry const& geo, mask_key const& key, random_owner owner, std::uint32_t threshold,
                               Numbers const& numbers, Kept& kept) {
  constexpr int channels = Geometry::channels_per_chunk;
  // Chunks of fours of channels that are words in memory, or lie densely, start at multiples of four. So do all chunks
  // in their own head.
  constexpr bool has_whole_blocks = channels % 4 == 0 && (!DiffersByHead || Geometry::access_of == access::chunk ||
                                                          Geometry::packing_of == packing::dense);
  EDGEWISE_UNROLL
  for (int c = 0; c < geo.chunks(); ++c) {
    auto const first = static_cast<std::uint32_t>(DiffersByHead ? geo.offset(c) : geo.channel_in_head(c));
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) kept.at(b, c, 0) = 0;
    if constexpr (has_whole_blocks) {
      EDGEWISE_UNROLL
      for (int l = 0; l < channels; l += 4) {
        philox_pair pairs[Edges];
        EDGEWISE_UNROLL
        for (int b = 0; b < Edges; ++b) {
          pairs[b] = mask_counter(key, owner, numbers.at(b, 0, 0), (first + static_cast<std::uint32_t>(l)) >> 2);
        }
        draw_pairs(pairs, key.key);
        EDGEWISE_UNROLL
        for (int b = 0; b < Edges; ++b) kept.at(b, c, 0) |= kept_of_four(pairs[b], threshold) << l;
      }
    } else {
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        std::uint32_t four = 0;
        EDGEWISE_UNROLL
        for (int l = 0; l < channels; ++l) {
          std::uint32_t const element = first + static_cast<std::uint32_t>(l);
          if (l == 0 || (element & 3) == 0) {
            philox_pair pair[1] = {mask_counter(key, owner, numbers.at(b, 0, 0), element >> 2)};
            draw_pairs(pair, key.key);
            four = kept_of_four(pair[0], threshold);
          }
          kept.at(b, c, 0) |= (four >> (element & 3) & 1u) << l;
        }
      }
    }
  }
}

/// Masks without channels. Threads that need the same draws take one edge in turn each, and tell the others.
template <bool HasHeads, class Geometry, int Edges, class Numbers, class Kept>
EDGEWISE_HD void draw_heads([[maybe_unused]] Geometry const& geo, mask_key const& key, random_owner owner,
                            std::uint32_t threshold, Numbers const& numbers, Kept& kept) {
  constexpr int sharers = sharers_of_draws<Geometry, Edges>;
  constexpr int own = Edges / sharers;
  [[maybe_unused]] int place = 0;  // among the sharers
  if constexpr (sharers > 1) place = geo.thread & (sharers - 1);
  std::uint64_t number[own];
  std::uint32_t four[own] = {};
  std::uint32_t of_chunks[own] = {};
  EDGEWISE_UNROLL
  for (int i = 0; i < own; ++i) {
    number[i] = numbers.at(i * sharers, 0, 0);
    EDGEWISE_UNROLL
    for (int s = 1; s < sharers; ++s) number[i] = place == s ? numbers.at(i * sharers + s, 0, 0) : number[i];
  }
  std::uint32_t drawn = 0;
  EDGEWISE_UNROLL
  for (int c = 0; c < used_chunks<Kept::extent_of>(geo); ++c) {
    auto const element = static_cast<std::uint32_t>(HasHeads ? geo.head(c) : 0);
    if (c == 0 || element >> 2 != drawn) {
      drawn = element >> 2;
      philox_pair pairs[own];
      EDGEWISE_UNROLL
      for (int i = 0; i < own; ++i) pairs[i] = mask_counter(key, owner, number[i], drawn);
      draw_pairs(pairs, key.key);
      EDGEWISE_UNROLL
      for (int i = 0; i < own; ++i) four[i] = kept_of_four(pairs[i], threshold);
    }
    EDGEWISE_UNROLL
    for (int i = 0; i < own; ++i) {
      if constexpr (sharers == 1) {
        kept.at(i, c, 0) = four[i] >> (element & 3) & 1u;
      } else {
        of_chunks[i] |= four[i] << 4 * c;
      }
    }
  }
  if constexpr (sharers > 1) {
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      auto const told =
          of_thread<Geometry::group_size>(of_chunks[b / sharers], (geo.thread & ~(sharers - 1)) | b % sharers);
      EDGEWISE_UNROLL
      for (int c = 0; c < used_chunks<Kept::extent_of>(geo); ++c) {
        int const head = HasHeads ? geo.head(c) : 0;
        kept.at(b, c, 0) = told >> (4 * c + (head & 3)) & 1u;
      }
    }
  }
}

/// The mask of a block of edges. `threshold`: bits below it drop; 0 keeps all, and draws nothing.
template <extent E, bool DiffersByHead = true, class Geometry, int Edges>
EDGEWISE_HD auto draw_kept(Geometry const& geo, mask_key const& key, random_owner owner, std::uint32_t threshold,
                           register_value<std::uint64_t, extent::uniform, Edges, Geometry::max_chunks,
                                          Geometry::channels_per_chunk> const& numbers) {
  kept_bits<E, Edges, Geometry::max_chunks, Geometry::channels_per_chunk> kept;
  if (threshold == 0 || !key.draws) {  // the same for the whole grid
    fill(geo, kept, ~0u);
  } else if constexpr (E == extent::wide) {
    draw_channels<DiffersByHead, Geometry, Edges>(geo, key, owner, threshold, numbers, kept);
  } else {
    draw_heads<E == extent::narrow && DiffersByHead, Geometry, Edges>(geo, key, owner, threshold, numbers, kept);
  }
  return kept;
}

}  // namespace edgewise::inline v0::detail
