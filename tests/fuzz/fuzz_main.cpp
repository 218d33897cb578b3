// What libFuzzer calls. EDGEWISE_FUZZ_TARGET is one of the functions of target.hpp; an exception that leaves it is a
// find.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  edgewise::testing::EDGEWISE_FUZZ_TARGET(std::string_view(reinterpret_cast<char const*>(data), size));
  return 0;
}
