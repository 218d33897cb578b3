// What a program tells a mapping of tiles.
#pragma once

namespace edgewise::inline v0 {

/// May tiles take a program, and how are the rows stored that they would multiply? `bits16`: as float16 or bfloat16.
enum class tiled_storage { none, bits16, float32 };

namespace detail {

/// Elements of a row that a warp holds of a tile at most, and so channels of heads whose inner products tiles take.
inline constexpr int most_tile_channels = 128;

}  // namespace detail

}  // namespace edgewise::inline v0
