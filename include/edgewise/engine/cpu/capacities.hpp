// How many chunks of a row one thread of the host holds at once.
#pragma once

#include <edgewise/engine/tiles.hpp>

namespace edgewise::inline v0::detail {

/// Where rows have heads, narrow heads use a small geometry, several tiles to a row; others one that holds what is
/// summed. Builds of few geometries have the large one alone; it copies what it holds, so it is not as large there.
inline constexpr int small_host_capacity = 4;
inline constexpr int medium_host_capacity = 64;
inline constexpr int large_host_capacity = has_few_geometries ? 128 : 1024;

}  // namespace edgewise::inline v0::detail
