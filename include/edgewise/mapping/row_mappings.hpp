// Thread mappings over grouped formats.
#pragma once

namespace edgewise {

/// The library chooses the mapping for the graph and the program.
struct automatic {
  static constexpr char const* name = "automatic";
};

/// 2^k lanes a row, as many as the row's features fill with 16-byte loads; several rows share a warp when features are
/// short, and rows of many edges are cut into pieces. Seastar (EuroSys 2021), section 6.3.
struct feature_adaptive_group {
  static constexpr char const* name = "feature_adaptive_group";
};

}  // namespace edgewise
