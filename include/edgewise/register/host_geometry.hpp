// One CPU thread over a row: all chunks in one place, the channels of a chunk a loop that the compiler vectorises.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/register/row_layout.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// How many chunks of how many heads a tile has: known at run time.
struct any_chunks {
  static constexpr bool is_fixed = false;
  static constexpr int fixed_count = 0;
  static constexpr int fixed_heads = 0;
  static constexpr bool is_whole = false;
  int chunks_per_head;
  std::uint64_t share;  ///< 2^32 / chunks_per_head, rounded up: a division takes longer than an edge's other work

  EDGEWISE_HD explicit any_chunks(row_layout const& layout)
      : chunks_per_head(layout.chunks_per_head),
        share(((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(layout.chunks_per_head) - 1) /
              static_cast<std::uint64_t>(layout.chunks_per_head)) {}
  EDGEWISE_HD int head_of(int chunk) const { return static_cast<int>(static_cast<std::uint64_t>(chunk) * share >> 32); }
};
/// The same for tiles that are all alike. Whole: chunks lie in their heads as a whole.
template <int Heads, int ChunksPerHead, bool Whole>
struct fixed_chunks {
  static constexpr bool is_fixed = true;
  static constexpr int fixed_count = Heads * ChunksPerHead;
  static constexpr int fixed_heads = ChunksPerHead == 1 ? Heads : 0;
  static constexpr bool is_whole = Whole;
  static constexpr int heads = Heads;
  static constexpr int chunks_per_head = ChunksPerHead;

  EDGEWISE_HD explicit fixed_chunks(row_layout const&) {}
  EDGEWISE_HD static constexpr int head_of(int chunk) { return chunk / ChunksPerHead; }
  /// Are the tiles of a layout of chunks of so many channels like that?
  static constexpr bool fits(row_layout const& layout, int channels_per_chunk) {
    return layout.heads_per_tile == Heads && layout.heads % Heads == 0 && layout.chunks_per_head == ChunksPerHead &&
           layout.channels % layout.channels_per_tile == 0 &&
           (!Whole || layout.channels_per_tile == ChunksPerHead * channels_per_chunk);
  }
};

/// One thread holds up to MaxChunks chunks of Channels elements; Shape says how many are in use.
template <int MaxChunks, int Channels, class Shape = any_chunks>
struct EDGEWISE_HAS_LANES host_geometry {
  static constexpr int group_size = 1;
  static constexpr int max_chunks = MaxChunks;
  static constexpr int channels_per_chunk = Channels;
  static constexpr access access_of = Shape::is_whole ? access::chunk : access::element;
  static constexpr packing packing_of = packing::padded;
  static constexpr int capacity_chunks = MaxChunks;
  static constexpr int fixed_chunk_count = Shape::fixed_count;
  static constexpr int fixed_heads = Shape::fixed_heads;

  int heads;
  int channels;
  int first_head;
  int first_channel;
  int end_head;
  int end_channel;
  Shape shape;

  EDGEWISE_HD host_geometry(row_layout const& layout, int tile)
      : heads(layout.heads), channels(layout.channels), shape(layout) {
    first_head = tile / layout.channel_tiles * layout.heads_per_tile;
    first_channel = tile % layout.channel_tiles * layout.channels_per_tile;
    end_head = first_head + layout.heads_per_tile < heads ? first_head + layout.heads_per_tile : heads;
    end_channel =
        first_channel + layout.channels_per_tile < channels ? first_channel + layout.channels_per_tile : channels;
  }

  /// From 1 to MaxChunks: said to the compiler, or it warns about registers that a loop over no chunks would leave
  /// unset, and about those that a loop over more would not find.
  EDGEWISE_HD int chunks() const {
    if constexpr (Shape::is_fixed) {
      return Shape::heads * Shape::chunks_per_head;
    } else {
      int const count = (end_head - first_head) * shape.chunks_per_head;
      if (count < 1 || count > MaxChunks) __builtin_unreachable();
      return count;
    }
  }

  EDGEWISE_HD int chunks_per_head() const { return shape.chunks_per_head; }
  EDGEWISE_HD int head(int chunk) const { return first_head + shape.head_of(chunk); }
  EDGEWISE_HD int channel_in_head(int chunk) const { return first_channel + chunk_in_head(chunk) * Channels; }
  EDGEWISE_HD int offset(int chunk) const { return head(chunk) * channels + channel_in_head(chunk); }
  EDGEWISE_HD int valid_channels(int chunk) const {
    if constexpr (Shape::is_whole) return Channels;
    int const left = end_channel - channel_in_head(chunk);
    return left <= 0 ? 0 : (left < Channels ? left : Channels);
  }
  EDGEWISE_HD bool valid(int chunk) const { return Shape::is_fixed || channel_in_head(chunk) < end_channel; }
  EDGEWISE_HD bool valid_head(int) const { return true; }
  EDGEWISE_HD bool leads_head(int chunk) const { return chunk_in_head(chunk) == 0; }
  EDGEWISE_HD bool leads_row() const { return true; }
  EDGEWISE_HD bool leads_channels(int chunk) const { return chunk < shape.chunks_per_head; }
  EDGEWISE_HD bool owns_head(int chunk) const { return leads_head(chunk) && first_channel == 0; }
  EDGEWISE_HD bool owns_row() const { return first_head == 0 && first_channel == 0; }

  template <class V>
  EDGEWISE_HD void sum_heads_in_place(V& x) const {
    int const together = shape.chunks_per_head;
    for (int b = 0; b < V::edges; ++b) {
      for (int first = 0; first < chunks(); first += together) {
        auto total = x.v[b][first][0];
        for (int c = 1; c < together; ++c) total += x.v[b][first + c][0];
        for (int c = 0; c < together; ++c) x.v[b][first + c][0] = total;
      }
    }
  }
  /// Replaces each channel by its sum over the heads of the tile, in order.
  template <class V>
  EDGEWISE_HD void sum_over_heads_in_place(V& x) const {
    for (int b = 0; b < V::edges; ++b) {
      for (int first = 0; first < shape.chunks_per_head; ++first) {
        for (int l = 0; l < V::channels; ++l) {
          auto total = x.v[b][first][l];
          for (int c = first + shape.chunks_per_head; c < chunks(); c += shape.chunks_per_head) total += x.v[b][c][l];
          for (int c = first; c < chunks(); c += shape.chunks_per_head) x.v[b][c][l] = total;
        }
      }
    }
  }
  template <class V>
  EDGEWISE_HD void sum_row_in_place(V&) const {}
  template <class V, class F>
  EDGEWISE_HD void for_each_head_sum(V& x, F const& f) const {
    sum_heads_in_place(x);
    for (int b = 0; b < V::edges; ++b) {
      for (int c = 0; c < chunks(); ++c) {
        if (leads_head(c)) f(b, c, x.v[b][c][0]);
      }
    }
  }
  template <class V, class F>
  EDGEWISE_HD void for_each_row_sum(V& x, F const& f) const {
    for (int b = 0; b < V::edges; ++b) f(b, 0, x.v[b][0][0]);
  }

private:
  EDGEWISE_HD int chunk_in_head(int chunk) const { return chunk - shape.head_of(chunk) * shape.chunks_per_head; }
};

/// One CPU thread over a run of Chunks * Channels elements of a row that is one axis: all sizes are known to the
/// compiler, which keeps the tile in vector registers. access::chunk: the run lies in the row as a whole;
/// access::element: its one chunk may reach past the row.
template <int Chunks, int Channels, access Access>
struct EDGEWISE_HAS_LANES host_tile {
  static_assert(Access == access::chunk || Chunks == 1, "host_tile: only a single chunk may reach past the row");
  static constexpr int group_size = 1;
  static constexpr int max_chunks = Chunks;
  static constexpr int channels_per_chunk = Channels;
  static constexpr access access_of = Access;
  static constexpr packing packing_of = packing::dense;
  static constexpr int capacity_chunks = Chunks;
  static constexpr int known_chunk_count = Chunks;
  static constexpr int heads = 1;

  int channels;       ///< of the row
  int first_channel;  ///< of the tile

  EDGEWISE_HD static constexpr int chunks() { return Chunks; }
  EDGEWISE_HD static constexpr int chunks_per_head() { return Chunks; }
  EDGEWISE_HD static constexpr int head(int) { return 0; }
  EDGEWISE_HD int channel_in_head(int chunk) const { return first_channel + chunk * Channels; }
  EDGEWISE_HD int offset(int chunk) const { return channel_in_head(chunk); }
  EDGEWISE_HD int valid_channels(int chunk) const {
    if constexpr (Access == access::chunk) {
      return Channels;
    } else {
      int const left = channels - channel_in_head(chunk);
      return left < Channels ? left : Channels;
    }
  }
  EDGEWISE_HD static constexpr bool valid(int) { return true; }  // a tile begins inside the row
  EDGEWISE_HD static constexpr bool valid_head(int) { return true; }
  EDGEWISE_HD bool leads_head(int chunk) const { return channel_in_head(chunk) == 0; }
  EDGEWISE_HD bool leads_row() const { return first_channel == 0; }
  EDGEWISE_HD bool owns_head(int chunk) const { return leads_head(chunk); }
  EDGEWISE_HD bool owns_row() const { return leads_row(); }
  EDGEWISE_HD static constexpr bool leads_channels(int) { return true; }
  template <class V>
  EDGEWISE_HD void sum_heads_in_place(V&) const {
    static_assert(V::chunks == 0, "host_tile: a row that is cut anywhere has no sums over channels");
  }
  template <class V>
  EDGEWISE_HD void sum_over_heads_in_place(V&) const {
    static_assert(V::chunks == 0, "host_tile: a row that is one axis has no heads to sum over");
  }
  // A pass whose rows are cut anywhere sums none, but adjoints of programs that have a single element in each pass
  // here.
  template <class V>
  EDGEWISE_HD void sum_row_in_place(V&) const {}
  template <class V, class F>
  EDGEWISE_HD void for_each_head_sum(V& x, F const&) const {
    sum_heads_in_place(x);
  }
  template <class V, class F>
  EDGEWISE_HD void for_each_row_sum(V& x, F const& f) const {
    for (int b = 0; b < V::edges; ++b) {
      if (leads_row()) f(b, 0, x.v[b][0][0]);
    }
  }
};

}  // namespace edgewise::inline v0::detail
