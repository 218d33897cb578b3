// Runs of the device conversions, returned in host memory for a host compiler to check.
#pragma once

#include <cstdint>
#include <string>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

namespace edgewise::testing {

/// What the device makes of `edges`, a host coo: grouped directly, regrouped, and back to pairs.
template <class Offset>
struct device_conversions {
  csr<std::int32_t, Offset> by_destination;
  csc<std::int32_t, Offset> by_source;
  csc<std::int32_t, Offset> csr_to_csc;
  csr<std::int32_t, Offset> csc_to_csr;
  coo<std::int32_t, Offset> csr_to_coo;
  coo<std::int32_t, Offset> csc_to_coo;
};

device_conversions<std::int32_t> convert_on_device(coo<std::int32_t, std::int32_t> const& edges);
device_conversions<std::int64_t> convert_on_device(coo<std::int32_t, std::int64_t> const& edges);

/// The message with which the device's `validate` refuses these containers, or empty.
std::string validate_on_device(csr<> const& rows);
std::string validate_on_device(coo<> const& edges);
std::string validate_on_device(csr<> const& by_destination, csc<> const& by_source);

}  // namespace edgewise::testing
