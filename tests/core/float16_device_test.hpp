// What the running side of the device test of 16-bit types gives the judging side.
#pragma once

#include <cstdint>
#include <vector>

#include <edgewise/core/float16.hpp>

namespace edgewise::testing {

/// Bits of the floats rounded to T on the device, one by one or (their number is even) two at a time.
template <class T>
std::vector<std::uint16_t> rounded_on_device(std::vector<float> const& values, bool in_pairs);

/// All 65536 patterns of T as floats.
template <class T>
std::vector<float> widened_on_device();

}  // namespace edgewise::testing
