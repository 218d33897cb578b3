// Ranges of calls in a profile: where EDGEWISE_NVTX is defined, in the whole program, Nsight Systems shows each call of a
// plan in the domain `edgewise`. Otherwise nothing is left of them.
#pragma once

#if defined(EDGEWISE_NVTX)
#include <nvtx3/nvtx3.hpp>
#endif

namespace edgewise::inline v0::detail {

#if defined(EDGEWISE_NVTX)
struct profiler_domain {
  static constexpr char const* name = "edgewise";
};
/// Lasts as long as it lives, on the thread that made it. call: its name.
class profiler_range {
public:
  explicit profiler_range(char const* call) : range_(call) {}

private:
  nvtx3::scoped_range_in<profiler_domain> range_;
};
#else
struct profiler_range {
  explicit constexpr profiler_range(char const*) {}
};
#endif

}  // namespace edgewise::inline v0::detail
