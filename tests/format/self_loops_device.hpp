// Self loops added and dropped on a device, returned in host memory for a host compiler to check.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/self_loops.hpp>

namespace edgewise::testing {

coo<std::int32_t, std::int32_t> self_loops_on_device(coo<std::int32_t, std::int32_t> const& edges, self_loops policy);
coo<std::int32_t, std::int64_t> self_loops_on_device(coo<std::int32_t, std::int64_t> const& edges, self_loops policy);

/// The message with which `add_self_loops` refuses these edges, or empty.
std::string refusal_on_device(coo<> const& edges, self_loops policy);

}  // namespace edgewise::testing
