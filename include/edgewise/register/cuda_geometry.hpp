// A group of threads over a row on the GPU: which elements each thread holds, and sums over a head or the row.
#pragma once

#include <bit>

#include <edgewise/register/exchange.hpp>
#include <edgewise/register/row_layout.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {
/// Among how many of `span` neighbouring threads `count` sums are shared out while they are taken: as many as save
/// shuffles, a power of two; 1 where each thread takes all of them.
EDGEWISE_HD constexpr int owners_of_sums(int count, int span) {
  if ((count & (count - 1)) != 0) return 1;
  int const owners = count < span ? count : span;
  int split = count;  // every sum is fetched at last
  int together = 0;
  for (int m = 1, kept = count; m < span; m <<= 1) {
    if (m < owners) kept /= 2;
    split += kept;
    together += count;
  }
  return split < together ? owners : 1;
}
/// As many where no thread needs what others have: every step that shares out saves exchanges.
EDGEWISE_HD constexpr int keepers_of_sums(int count, int span) {
  return (count & (count - 1)) != 0 ? 1 : (count < span ? count : span);
}
/// The first of the count / owners sums, one after the other, that a thread has: the inverse of `owner_of_sum`.
EDGEWISE_HD constexpr int first_of_owner(int thread, int count, int owners) {
  int first = 0;
  for (int m = 1; m < owners; m <<= 1) {
    count /= 2;
    if (thread & m) first |= count;
  }
  return first;
}
/// The exponent of a power of two.
EDGEWISE_HD int log2_of_power(int power) {
#if defined(__CUDA_ARCH__)
  return __ffs(power) - 1;
#else
  return std::countr_zero(static_cast<unsigned>(power));
#endif
}
/// Which of the `owners` threads has sum i: each step shares out by one more bit of the thread's number, from the top
/// bit of the sum's.
EDGEWISE_HD constexpr int owner_of_sum(int i, int count, int owners) {
  int owner = 0;
  for (int m = 1; m < owners; m <<= 1) {
    count /= 2;
    if (i & count) owner |= m;
  }
  return owner;
}

/// GroupSize threads (a power of two, at most a warp, or a whole block) hold Chunks chunks of Channels consecutive
/// elements each: chunk c of thread t is chunk q = c * GroupSize + t of the tile, so that a group's loads are
/// contiguous.
template <int GroupSize, int Chunks, int Channels, access Access = access::chunk, packing Packing = packing::dense,
          scores Scores = scores::by_chunk>
struct cuda_geometry {
  static constexpr int group_size = GroupSize;
  static constexpr bool is_block_wide = GroupSize > 32;
  static constexpr int max_chunks = Chunks;
  static constexpr int channels_per_chunk = Channels;
  static constexpr access access_of = Access;
  static constexpr packing packing_of = Packing;
  static constexpr scores scores_of = Scores;
  static constexpr int capacity_chunks = GroupSize * Chunks;

  int thread;           ///< in the group
  int heads;            ///< of the whole row
  int channels;         ///< of a head
  int chunks_per_head;  ///< power of two
  int chunk_shift;      ///< log2(chunks_per_head)
  int first_offset;     ///< of this thread's chunk 0 in the row
  int first_head;
  int first_channel;
  int end_head;  ///< of the tile
  int end_channel;

  EDGEWISE_HD cuda_geometry(row_layout const& layout, int tile, int thread_in_group)
      : thread(thread_in_group),
        heads(layout.heads),
        channels(layout.channels),
        chunks_per_head(layout.chunks_per_head) {
    chunk_shift = detail::log2_of_power(chunks_per_head);
    int head_tile = tile;
    int channel_tile = 0;
    if (layout.channel_tiles > 1) {
      head_tile = tile / layout.channel_tiles;
      channel_tile = tile - head_tile * layout.channel_tiles;
    }
    first_head = head_tile * layout.heads_per_tile;
    first_channel = channel_tile * layout.channels_per_tile;
    end_head = first_head + layout.heads_per_tile < heads ? first_head + layout.heads_per_tile : heads;
    end_channel =
        first_channel + layout.channels_per_tile < channels ? first_channel + layout.channels_per_tile : channels;
    first_offset = head(0) * channels + channel_in_head(0);
  }

  EDGEWISE_HD static constexpr int chunks() { return Chunks; }

  EDGEWISE_HD int head(int chunk) const { return first_head + ((chunk * GroupSize + thread) >> chunk_shift); }
  EDGEWISE_HD int channel_in_head(int chunk) const {
    return first_channel + ((chunk * GroupSize + thread) & (chunks_per_head - 1)) * Channels;
  }
  /// Element of the row at which the chunk starts.
  EDGEWISE_HD int offset(int chunk) const {
    return Packing == packing::dense ? first_offset + chunk * (GroupSize * Channels)
                                     : head(chunk) * channels + channel_in_head(chunk);
  }
  /// How many of the chunk's channels lie in the row: 0 to Channels.
  EDGEWISE_HD int valid_channels(int chunk) const {
    int const left = end_channel - channel_in_head(chunk);
    return head(chunk) < end_head && left > 0 ? (left < Channels ? left : Channels) : 0;
  }
  EDGEWISE_HD bool valid(int chunk) const { return head(chunk) < end_head && channel_in_head(chunk) < end_channel; }
  EDGEWISE_HD bool valid_head(int chunk) const { return head(chunk) < end_head; }
  /// One chunk of one thread speaks for each head of the tile.
  EDGEWISE_HD bool leads_head(int chunk) const {
    return ((chunk * GroupSize + thread) & (chunks_per_head - 1)) == 0 && head(chunk) < end_head;
  }
  EDGEWISE_HD bool leads_row() const { return thread == 0; }
  /// The first head's chunks speak for channels that all heads share.
  EDGEWISE_HD bool leads_channels(int chunk) const { return head(chunk) == first_head; }
  /// Of the tiles that a head or row is cut into, one speaks for what they all hold.
  EDGEWISE_HD bool owns_head(int chunk) const { return leads_head(chunk) && first_channel == 0; }
  EDGEWISE_HD bool owns_row() const { return thread == 0 && first_head == 0 && first_channel == 0; }

  /// Replaces each chunk's entry by the sum over its head's chunks; every thread of the warp (of the block, where
  /// groups are block-wide) takes part.
  template <class V>
  EDGEWISE_HD void sum_heads_in_place([[maybe_unused]] V& x) const {
#if defined(__CUDA_ARCH__)
    static_assert((Chunks & (Chunks - 1)) == 0, "sums over heads are taken by powers of two");
    if constexpr (Chunks > 1 && V::edges > 1) {
      if (chunks_per_head >= capacity_chunks) return sum_one_head_in_place(x);  // the same for the whole grid
    }
    EDGEWISE_UNROLL
    for (int m = 1; m < Chunks; m <<= 1) {
      if (m * GroupSize < chunks_per_head) {
        EDGEWISE_UNROLL
        for (int b = 0; b < V::edges; ++b) {
          EDGEWISE_UNROLL
          for (int c = 0; c < Chunks; ++c) {
            if ((c & m) == 0 && (c | m) < Chunks) x.v[b][c][0] = x.v[b][c | m][0] = x.v[b][c][0] + x.v[b][c | m][0];
          }
        }
      }
    }
    sum_neighbors<warp_part>(x);
    if constexpr (is_block_wide) {
      if (chunks_per_head > 32) sum_warps(x, chunks_per_head < GroupSize ? chunks_per_head / 32 : num_warps);
    }
#endif
  }

  /// Replaces each channel by its sum over the heads of the tile: over the bits of the chunk's number that say its
  /// head.
  template <class V>
  EDGEWISE_HD void sum_over_heads_in_place([[maybe_unused]] V& x) const {
#if defined(__CUDA_ARCH__)
    detail::for_each_entry<V>(*this, [&](int b, int c, int l) { x.v[b][c][l] = valid_head(c) ? x.v[b][c][l] : 0; });
    EDGEWISE_UNROLL
    for (int m = 1; m < Chunks; m <<= 1) {
      if (m * GroupSize >= chunks_per_head) {  // the same for the whole grid
        detail::for_each_entry<V>(*this, [&](int b, int c, int l) {
          if ((c & m) == 0) x.v[b][c][l] = x.v[b][c | m][l] = x.v[b][c][l] + x.v[b][c | m][l];
        });
      }
    }
    EDGEWISE_UNROLL
    for (int m = 1; m < warp_part; m <<= 1) {
      if (m >= chunks_per_head) {
        detail::for_each_entry<V>(*this,
                                  [&](int b, int c, int l) { x.v[b][c][l] += detail::of_other<32>(x.v[b][c][l], m); });
      }
    }
    if constexpr (is_block_wide) {
      for (int m = 32; m < GroupSize; m <<= 1) {
        if (m >= chunks_per_head) {
          detail::for_each_entry<V>(*this,
                                    [&](int b, int c, int l) { x.v[b][c][l] += of_thread(thread ^ m, x.v[b][c][l]); });
        }
      }
    }
#endif
  }

  /// Replaces the entry by the sum over the group's threads.
  template <class V>
  EDGEWISE_HD void sum_row_in_place([[maybe_unused]] V& x) const {
#if defined(__CUDA_ARCH__)
    sum_threads<warp_part>(x);
    if constexpr (is_block_wide) sum_warps(x, num_warps);
#endif
  }

  /// `sum_heads_in_place` for sums that one thread each is to take further: calls f(block, chunk, sum) once for each
  /// block and head of the tile. Which thread has which block may be known at run time only.
  template <class V, class F>
  EDGEWISE_HD void for_each_head_sum([[maybe_unused]] V& x, [[maybe_unused]] F const& f) const {
#if defined(__CUDA_ARCH__)
    if constexpr (Chunks == 1 && !is_block_wide && V::edges > 1) {
      give_neighbors<warp_part>(x, f);
    } else {
      if constexpr (!is_block_wide && V::edges > 1) {
        if (chunks_per_head >= capacity_chunks) {  // the same for the whole grid
          auto sum = add_chunks(x);
          return for_each_row_sum(sum, f);
        }
      }
      sum_heads_in_place(x);
      EDGEWISE_UNROLL
      for (int b = 0; b < V::edges; ++b) {
        EDGEWISE_UNROLL
        for (int c = 0; c < Chunks; ++c) {
          if (leads_head(c)) f(b, c, x.v[b][c][0]);
        }
      }
    }
#endif
  }
  /// `sum_row_in_place` for such sums: calls f(block, 0, sum) once for each block.
  template <class V, class F>
  EDGEWISE_HD void for_each_row_sum([[maybe_unused]] V& x, [[maybe_unused]] F const& f) const {
#if defined(__CUDA_ARCH__)
    if constexpr (is_block_wide) {
      sum_row_in_place(x);
      EDGEWISE_UNROLL
      for (int b = 0; b < V::edges; ++b) {
        if (leads_row()) f(b, 0, x.v[b][0][0]);
      }
    } else {
      give_sums<warp_part>(x, true, f);
    }
#endif
  }

private:
  static constexpr int warp_part = GroupSize < 32 ? GroupSize : 32;  ///< threads of the group in one warp
  static constexpr int num_warps = (GroupSize + 31) / 32;

#if defined(__CUDA_ARCH__)
  /// Replaces each entry by the sum over the chunks of its head in Span neighbouring threads at most: the widest span
  /// that the head fills, in steps without a branch between them (docs/tuning.md, R46).
  template <int Span, class V>
  EDGEWISE_DEVICE void sum_neighbors(V& x) const {
    if constexpr (Span > 1) {
      if (chunks_per_head < Span) return sum_neighbors<Span / 2>(x);  // the same for the whole grid
      sum_threads<Span>(x);
    }
  }
  /// `sum_heads_in_place` where all chunks are of one head.
  template <class V>
  EDGEWISE_DEVICE void sum_one_head_in_place(V& x) const {
    auto sum = add_chunks(x);
    sum_row_in_place(sum);
    detail::for_each_entry<V>(*this, [&](int b, int c, int) { x.v[b][c][0] = sum.v[b][0][0]; });
  }
  /// The sum over the chunks of a thread, which are all of one head.
  template <class V>
  EDGEWISE_DEVICE auto add_chunks(V& x) const {
    register_value<typename V::scalar, extent::uniform, V::edges, Chunks, Channels> sum;
    EDGEWISE_UNROLL
    for (int b = 0; b < V::edges; ++b) {
      EDGEWISE_UNROLL
      for (int m = 1; m < Chunks; m <<= 1) {
        EDGEWISE_UNROLL
        for (int c = 0; c + m < Chunks; c += 2 * m) x.v[b][c][0] += x.v[b][c + m][0];
      }
      sum.v[b][0][0] = x.v[b][0][0];
    }
    return sum;
  }
  /// Replaces each entry of a value without channels by its sum over Span neighbouring threads, entries together: while
  /// a thread has several, a step leaves it the half of them that its bit names, so that all entries take little more
  /// than one does; at last each is fetched from a thread that has it. The tree of additions is that of one entry.
  template <int Span, class V>
  EDGEWISE_DEVICE void sum_threads(V& x) const {
    constexpr int count = V::edges * V::chunks;
    constexpr int owners = V::edges > 1 ? detail::owners_of_sums(count, Span) : 1;  // one edge waits for each step
    exchange_sums<Span, owners>(x);
    if constexpr (owners > 1) {
      constexpr int kept = count / owners;
      auto const at = [&](int i) -> auto& { return x.v[i / V::chunks][i % V::chunks][0]; };
      typename V::scalar sums[kept];
      EDGEWISE_UNROLL
      for (int i = 0; i < kept; ++i) sums[i] = at(i);
      EDGEWISE_UNROLL
      for (int i = 0; i < count; ++i) {
        at(i) = detail::of_thread<Span>(sums[i % kept], detail::owner_of_sum(i, count, owners));
      }
    }
  }
  /// The steps of `sum_threads` that add: leaves each thread the count / owners sums that are its own, as the first
  /// entries.
  template <int Span, int owners, class V>
  EDGEWISE_DEVICE void exchange_sums(V& x) const {
    constexpr int count = V::edges * V::chunks;
    auto const at = [&](int i) -> auto& { return x.v[i / V::chunks][i % V::chunks][0]; };
    EDGEWISE_UNROLL
    for (int m = 1; m < owners; m <<= 1) {
      int const kept = count / (2 * m);
      bool const has_upper = (thread & m) != 0;
      EDGEWISE_UNROLL
      for (int i = 0; i < kept; ++i) {
        auto const mine = has_upper ? at(i + kept) : at(i);
        auto const other = has_upper ? at(i) : at(i + kept);
        at(i) = mine + detail::of_other<32>(other, m);
      }
    }
    constexpr int kept = count / owners;
    EDGEWISE_UNROLL
    for (int m = owners; m < Span; m <<= 1) {
      EDGEWISE_UNROLL
      for (int i = 0; i < kept; ++i) at(i) += detail::of_other<32>(at(i), m);
    }
  }
  /// `sum_threads` of a value with one entry per block, whose sums are given to f by the threads that have them.
  template <int Span, class V, class F>
  EDGEWISE_DEVICE void give_sums(V& x, bool takes_part, F const& f) const {
    static_assert(V::chunks == 1);
    constexpr int owners = detail::keepers_of_sums(V::edges, Span);
    exchange_sums<Span, owners>(x);
    int const own = thread & (Span - 1);
    int const first = detail::first_of_owner(own, V::edges, owners);
    if (own < owners && takes_part) {
      EDGEWISE_UNROLL
      for (int i = 0; i < V::edges / owners; ++i) f(first + i, 0, x.v[i][0][0]);
    }
  }
  /// `give_sums` of the widest span that a head fills.
  template <int Span, class V, class F>
  EDGEWISE_DEVICE void give_neighbors(V& x, F const& f) const {
    if constexpr (Span > 1) {
      if (chunks_per_head < Span) return give_neighbors<Span / 2>(x, f);  // the same for the whole grid
    }
    give_sums<Span>(x, valid_head(0), f);
  }
  /// x of another thread of the block.
  template <class T>
  EDGEWISE_DEVICE T of_thread(int other, T x) const {
    __shared__ T shared[GroupSize];
    __syncthreads();  // earlier values have been read
    shared[thread] = x;
    __syncthreads();
    return shared[other];
  }

  /// Replaces each entry by the sum over `span` neighbouring warps, in their order, of entries that are equal in a
  /// warp.
  template <class V>
  EDGEWISE_DEVICE void sum_warps(V& x, int span) const {
    using T = typename V::scalar;
    __shared__ T parts[V::edges][V::chunks][num_warps];
    int const warp = thread / 32;
    __syncthreads();  // earlier sums have been read
    if (thread % 32 == 0) {
      EDGEWISE_UNROLL
      for (int b = 0; b < V::edges; ++b) {
        EDGEWISE_UNROLL
        for (int c = 0; c < V::chunks; ++c) parts[b][c][warp] = x.v[b][c][0];
      }
    }
    __syncthreads();
    int const first = warp & ~(span - 1);
    EDGEWISE_UNROLL
    for (int b = 0; b < V::edges; ++b) {
      EDGEWISE_UNROLL
      for (int c = 0; c < V::chunks; ++c) {
        T total = parts[b][c][first];
        for (int w = 1; w < span; ++w) total += parts[b][c][first + w];
        x.v[b][c][0] = total;
      }
    }
  }
#endif
};

}  // namespace edgewise::inline v0::detail
