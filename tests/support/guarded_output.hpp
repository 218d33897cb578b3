// Outputs that show what was done to them: poisoned, so that unwritten elements are seen, between two guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace edgewise::testing {

/// The byte that poisons a T: all ones is NaN in every floating type, 0xA5.. is an index that no graph has
/// (all ones would be -1, which is an answer).
template <class T>
constexpr unsigned char poison_byte() {
  return std::is_integral_v<T> ? 0xA5 : 0xFF;
}

/// Whether `value` is still, bit for bit, what poisoning left.
template <class T>
bool is_poison(T const& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (unsigned char byte : bytes) {
    if (byte != poison_byte<T>()) return false;
  }
  return true;
}

/// How many elements nobody wrote.
template <class T>
std::size_t count_poison(std::vector<T> const& values) {
  std::size_t count = 0;
  for (T const& value : values) count += is_poison(value);
  return count;
}

/// The memory layout of a guarded array of T: guard bytes, `size` elements, guard bytes.
struct guarded_layout {
  static constexpr std::size_t guard_bytes = 1024;  // a multiple of every alignment that kernels may use
  static constexpr unsigned char guard_byte = 0x5C;

  /// Says which guard byte next to `size_bytes` of payload was changed; empty when none was.
  static std::string damage(unsigned char const* memory, std::size_t size_bytes) {
    for (std::size_t i = guard_bytes; i-- > 0;) {  // nearest first
      if (memory[i] != guard_byte) return describe(guard_bytes - i, "before the first element");
    }
    for (std::size_t i = 0; i < guard_bytes; ++i) {
      if (memory[guard_bytes + size_bytes + i] != guard_byte) return describe(i + 1, "after the last element");
    }
    return {};
  }

private:
  static std::string describe(std::size_t distance, char const* side) {
    std::ostringstream stream;
    stream << "guard zone damaged: byte " << distance << ' ' << side << " was written";
    return stream.str();
  }
};

/// A host output of `size` elements, poisoned, between guard zones.
template <class T>
class guarded_output {
  static_assert(std::is_trivially_copyable_v<T>, "guarded_output<T>: T must be trivially copyable");

public:
  explicit guarded_output(std::size_t size)
      : size_(size), memory_(size * sizeof(T) + 2 * guarded_layout::guard_bytes + alignment) {
    std::memset(begin_of_memory(), guarded_layout::guard_byte, size * sizeof(T) + 2 * guarded_layout::guard_bytes);
    poison();
  }
  guarded_output(guarded_output const&) = delete;  // kernels hold its address
  guarded_output& operator=(guarded_output const&) = delete;

  /// Makes every element unwritten again; leaves the guards.
  void poison() {
    if (size_ > 0) std::memset(static_cast<void*>(data()), poison_byte<T>(), size_ * sizeof(T));
  }

  T* data() { return reinterpret_cast<T*>(begin_of_memory() + guarded_layout::guard_bytes); }
  std::size_t size() const { return size_; }

  std::vector<T> values() { return std::vector<T>(data(), data() + size_); }

  /// Says what was written outside of the elements; empty when nothing was.
  std::string damage() { return guarded_layout::damage(begin_of_memory(), size_ * sizeof(T)); }

private:
  static constexpr std::size_t alignment = 256;

  unsigned char* begin_of_memory() {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (alignment - address % alignment) % alignment;
  }

  std::size_t size_;
  std::vector<unsigned char> memory_;
};

}  // namespace edgewise::testing
