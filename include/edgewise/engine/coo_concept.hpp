// What a plan over ungrouped edges asks of an engine besides what `engine` gives.
#pragma once

#include <cstdint>

#include <edgewise/format/coo.hpp>

namespace edgewise::inline v0::detail {

/// The scattering half of an engine: `coo_engine<cpu>` (engine/cpu/coo_engine.hpp), `coo_engine<cuda>`
/// (engine/cuda/coo_engine.cuh). All of it is asynchronous where the engine is.
///   num_partials                                            partial sums of parameters of one pass, in the workspace
///   clear_rows(exec, view)                                  zeros, gaps between rows untouched
///   for_each_element(exec, body, count)                     body(0), ..., body(count - 1), in any order
///   check_width<Pass>(extents, chunk)                       throws `invalid_argument` for rows too wide
///   run(exec, pass, coo, extents, chunk, workspace)         the traversal, of rows that `check_width` lets pass
template <class Exec>
struct coo_engine {
  static_assert(sizeof(Exec) == 0,
                "exec: has no engine here; to run on cuda include edgewise/edgewise.cuh, in a .cu file");
};

}  // namespace edgewise::inline v0::detail
