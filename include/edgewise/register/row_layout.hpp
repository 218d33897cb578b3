// How the elements of a row are cut into chunks and tiles: the run-time half of a geometry.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0::detail {

/// How a geometry moves its chunks: as one word, which needs addresses, strides and widths that are multiples of the
/// chunk (where rows are one axis, a width that a gap behind the row fills up), or element by element.
enum class access { chunk, element };

/// Whether the chunks of a tile lie one after the other in the row (`dense`: one head, or heads of a power of two of
/// chunks), so that chunk addresses differ by constants, or each head is padded to a power of two of chunks.
enum class packing { dense, padded };

/// Who computes the scores of a softmax that are numbers: every thread those of its own chunks' heads, or each thread
/// that of one edge and head, which others are told (pass/thread_scores.hpp).
enum class scores { by_chunk, by_thread };

/// What a traversal needs from a layout, a compile-time property of its program.
enum class layout_need {
  flat,         ///< operands vary over the whole row or not at all: heads and channels are one axis
  head_aware,   ///< some operand is per head or per channel, but channels are never summed: heads may be cut
  all_heads,    ///< heads are summed channel by channel: a group holds every head of its channels, heads may be cut
  whole_heads,  ///< channels are summed: a group holds whole heads
  whole_rows    ///< channels and heads are summed: a group holds whole rows
};

/// A row of `heads` x `channels` elements (one head of heads * channels where the need is flat) cut into `num_tiles`
/// tiles; a group works on one tile. Chunk q of a tile holds elements of head q / chunks_per_head.
struct row_layout {
  std::int32_t heads = 1;
  std::int32_t channels = 1;
  std::int32_t chunks_per_head = 1;  ///< in a tile; a power of two for CUDA geometries
  std::int32_t heads_per_tile = 1;
  std::int32_t channels_per_tile = 1;  ///< of each head; less than `channels` only where heads are cut
  std::int32_t channel_tiles = 1;      ///< tiles that a head is cut into
  std::int32_t num_tiles = 1;

  EDGEWISE_HD std::int64_t row_size() const { return std::int64_t{heads} * channels; }
};

}  // namespace edgewise::inline v0::detail
