// How the elements of a row are dealt to chunks and tiles: the run-time half of a geometry.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>

namespace edgewise {

/// How a geometry moves its chunks: as one word, which needs addresses, strides and widths that are multiples of the
/// chunk (where rows are one axis, a width that a gap behind the row fills up), or element by element.
enum class access { chunk, element };

/// Whether the chunks of a tile lie one after the other in the row (`dense`: one head, or heads of a power of two of
/// chunks), so that chunk addresses differ by constants, or each head is padded to a power of two of chunks.
enum class packing { dense, padded };

/// Who computes the scores of a softmax that are numbers: every thread those of its own chunks' heads, or each thread
/// that of one edge and head, which others are told (pass/dealt_scores.hpp).
enum class scores { of_chunks, dealt };

/// What a traversal needs from a layout, a compile-time property of its program.
enum class layout_need {
  flat,         ///< operands vary over the whole row or not at all: heads and lanes are one axis
  head_aware,   ///< some operand is per head or per lane, but lanes are never summed: heads may be cut
  all_heads,    ///< heads are summed lane by lane: a group holds every head of its lanes, heads may be cut
  whole_heads,  ///< lanes are summed: a group holds whole heads
  whole_rows    ///< lanes and heads are summed: a group holds whole rows
};

/// A row of `heads` x `lanes` elements (one head of heads * lanes where the need is flat) cut into `num_tiles` tiles; a
/// group works on one tile. Chunk q of a tile holds elements of head q / chunks_per_head.
struct row_layout {
  std::int32_t heads = 1;
  std::int32_t lanes = 1;
  std::int32_t chunks_per_head = 1;  ///< in a tile; a power of two for CUDA geometries
  std::int32_t heads_per_tile = 1;
  std::int32_t lanes_per_tile = 1;  ///< of each head; less than `lanes` only where heads are cut
  std::int32_t lane_tiles = 1;      ///< tiles that a head is cut into
  std::int32_t num_tiles = 1;

  EDGEWISE_HD std::int64_t row_size() const { return std::int64_t{heads} * lanes; }
};

}  // namespace edgewise
