// What tracking.cu runs on the host, compiled by the host's compiler: nvcc warns of plans of the host.
#include "tracking.hpp"

template void tracking::score_edges(edgewise::cpu const&, float const*, std::int64_t, std::int64_t const*, std::int64_t,
                                    float const*, float*);
