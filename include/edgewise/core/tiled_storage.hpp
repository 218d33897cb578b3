// What a program tells a mapping of tiles.
#pragma once

namespace edgewise::inline v0 {

/// May tiles take a program, and how are the rows stored that they would multiply? `float16`: in 16 bits.
enum class tiled_storage { none, float16, float32 };

}  // namespace edgewise::inline v0
