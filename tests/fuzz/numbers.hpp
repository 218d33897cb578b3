// Numbers and arrays out of the bytes that a fuzzer is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace edgewise::testing {

/// Takes numbers off the front of the input. A byte is a number from -4 to 250; 251 and above mean the number is in the
/// next eight bytes, so that extremes are found as easily as small ones.
class numbers {
public:
  explicit numbers(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T next() {
    auto const first = byte();
    if (first <= 250) return static_cast<T>(first - 4);
    std::uint64_t wide = 0;
    for (int k = 0; k < 8; ++k) wide = wide << 8 | static_cast<std::uint64_t>(byte());
    return static_cast<T>(wide);
  }
  template <class T>
  std::vector<T> array(std::size_t size) {
    std::vector<T> values(size);
    for (auto& value : values) value = next<T>();
    return values;
  }
  std::size_t size() { return static_cast<std::size_t>(byte()) % 24; }

private:
  int byte() {
    if (bytes_.empty()) return 4;  // 0
    auto const first = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  std::string_view bytes_;
};

}  // namespace edgewise::testing
