// Rows of a product on tensor cores: the quad of threads that holds a row of its accumulators, as a group.
#pragma once

#include <edgewise/register/geometry_concept.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::inline v0::detail {

/// Four threads hold up to Channels elements of one head, in chunks of two: chunk n of thread q starts at 8 n + 2 q,
/// where m16n8 products leave them (core/matrix_instructions.cuh).
template <int Channels, access Access>
struct fragment_geometry {
  static constexpr int group_size = 4;
  static constexpr bool is_block_wide = false;
  static constexpr int max_chunks = Channels / 8;
  static constexpr int channels_per_chunk = 2;
  static constexpr access access_of = Access;
  static constexpr packing packing_of = packing::padded;
  static constexpr scores scores_of = scores::by_chunk;
  static constexpr int capacity_chunks = group_size * max_chunks;

  int thread;  ///< in the quad
  int heads;   ///< of the whole row
  int channels;
  int own_head;
  int first_channel;
  int end_channel;  ///< of the tile

  EDGEWISE_HD fragment_geometry(row_layout const& layout, int tile, int thread_of_quad)
      : thread(thread_of_quad),
        heads(layout.heads),
        channels(layout.channels),
        own_head(tile / layout.channel_tiles),
        first_channel(tile % layout.channel_tiles * layout.channels_per_tile) {
    int const end = first_channel + layout.channels_per_tile;
    end_channel = end < channels ? end : channels;
  }

  EDGEWISE_HD static constexpr int chunks() { return max_chunks; }
  EDGEWISE_HD int head(int) const { return own_head; }
  EDGEWISE_HD int channel_in_head(int chunk) const { return first_channel + chunk * 8 + 2 * thread; }
  EDGEWISE_HD int offset(int chunk) const { return own_head * channels + channel_in_head(chunk); }
  EDGEWISE_HD int valid_channels(int chunk) const {
    int const left = end_channel - channel_in_head(chunk);
    return left <= 0 ? 0 : (left < 2 ? left : 2);
  }
  EDGEWISE_HD bool valid(int chunk) const { return channel_in_head(chunk) < end_channel; }
  EDGEWISE_HD bool valid_head(int) const { return true; }
  EDGEWISE_HD bool leads_head(int chunk) const { return chunk == 0 && thread == 0; }
  EDGEWISE_HD bool leads_row() const { return thread == 0; }
  EDGEWISE_HD bool leads_channels(int) const { return true; }
  EDGEWISE_HD bool owns_head(int chunk) const { return leads_head(chunk) && first_channel == 0; }
  EDGEWISE_HD bool owns_row() const { return thread == 0 && own_head == 0 && first_channel == 0; }

  /// Every thread of the warp takes part.
  template <class V>
  EDGEWISE_HD void sum_heads_in_place([[maybe_unused]] V& x) const {
#if defined(__CUDA_ARCH__)
    EDGEWISE_UNROLL
    for (int b = 0; b < V::edges; ++b) {
      auto total = x.v[b][0][0];
      EDGEWISE_UNROLL
      for (int c = 1; c < V::chunks; ++c) total += x.v[b][c][0];
      total = sum_quad(total);
      EDGEWISE_UNROLL
      for (int c = 0; c < V::chunks; ++c) x.v[b][c][0] = total;
    }
#endif
  }
  /// A warp holds one head.
  template <class V>
  EDGEWISE_HD void sum_over_heads_in_place(V&) const {}
  template <class V>
  EDGEWISE_HD void sum_row_in_place([[maybe_unused]] V& x) const {
#if defined(__CUDA_ARCH__)
    EDGEWISE_UNROLL
    for (int b = 0; b < V::edges; ++b) x.v[b][0][0] = sum_quad(x.v[b][0][0]);
#endif
  }
  template <class V, class F>
  EDGEWISE_HD void for_each_head_sum(V& x, F const& f) const {
    sum_heads_in_place(x);
    for (int b = 0; b < V::edges; ++b) {
      if (leads_head(0)) f(b, 0, x.v[b][0][0]);
    }
  }
  template <class V, class F>
  EDGEWISE_HD void for_each_row_sum(V& x, F const& f) const {
    sum_row_in_place(x);
    for (int b = 0; b < V::edges; ++b) {
      if (leads_row()) f(b, 0, x.v[b][0][0]);
    }
  }

private:
#if defined(__CUDA_ARCH__)
  template <class T>
  EDGEWISE_DEVICE static T sum_quad(T x) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    x += __shfl_xor_sync(0xffffffffu, x, 2);
    return x;
  }
#endif
};

}  // namespace edgewise::inline v0::detail
