// What one element of an array of NumPy is, in bytes, and how it becomes a number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/float16.hpp>

namespace edgewise::inline v0::detail {

/// A bool of NumPy is a byte, which is true unless it is 0.
struct stored_bool {
  std::uint8_t byte;
};

/// `kind`: b for bools, i for integers, u for those without a sign, f for floats.
struct element_type {
  char kind = ' ';
  std::size_t num_bytes = 0;
  bool big_endian = false;

  friend bool operator==(element_type const&, element_type const&) = default;
};

/// Calls `use` with a value of the type in memory; false for a type that has none here.
template <class Use>
bool with_stored_type(element_type const& type, Use&& use) {
  auto const is = [&](char kind, std::size_t num_bytes) { return type.kind == kind && type.num_bytes == num_bytes; };
  if (is('b', 1)) return use(stored_bool{}), true;
  if (is('i', 1)) return use(std::int8_t{}), true;
  if (is('i', 2)) return use(std::int16_t{}), true;
  if (is('i', 4)) return use(std::int32_t{}), true;
  if (is('i', 8)) return use(std::int64_t{}), true;
  if (is('u', 1)) return use(std::uint8_t{}), true;
  if (is('u', 2)) return use(std::uint16_t{}), true;
  if (is('u', 4)) return use(std::uint32_t{}), true;
  if (is('u', 8)) return use(std::uint64_t{}), true;
  if (is('f', 2)) return use(float16{}), true;
  if (is('f', 4)) return use(float{}), true;
  if (is('f', 8)) return use(double{}), true;
  return false;
}

/// The type that NumPy calls '<i4', '>f8', '|b1' or 'i8': byte order, kind and bytes. Nothing for all others.
inline std::optional<element_type> parse_element_type(std::string_view name) {
  element_type type;
  bool const has_order = !name.empty() && std::string_view("<>|=").find(name.front()) != std::string_view::npos;
  type.big_endian = has_order ? name.front() == '>' : false;
  if (has_order) name.remove_prefix(1);
  if (name.size() != 2) return std::nullopt;
  type.kind = name[0];
  type.num_bytes = static_cast<std::size_t>(name[1] - '0');
  if (type.num_bytes == 1) type.big_endian = false;
  if (!with_stored_type(type, [](auto) {})) return std::nullopt;
  return type;
}

/// The element in these bytes as it is in memory.
template <class Stored>
Stored load_element(char const* bytes, bool big_endian) {
  static_assert(std::endian::native == std::endian::little, "arrays of files: the host must be little endian");
  std::array<char, sizeof(Stored)> copy;
  std::memcpy(copy.data(), bytes, sizeof(Stored));
  if (big_endian) std::reverse(copy.begin(), copy.end());
  Stored element;
  std::memcpy(&element, copy.data(), sizeof(Stored));
  return element;
}

/// The element as a number that a message can print.
template <class Stored>
auto printed_element(Stored element) {
  if constexpr (std::is_same_v<Stored, stored_bool>)
    return element.byte != 0 ? 1 : 0;
  else if constexpr (std::is_same_v<Stored, float16>)
    return static_cast<float>(element);
  else if constexpr (std::is_integral_v<Stored> && sizeof(Stored) == 1)
    return int{element};
  else
    return element;
}

/// Whether elements can become a T: all can become floats, and all but floats integers.
template <class T, class Stored>
constexpr bool is_convertible_element =
    std::floating_point<T> || std::integral<Stored> || std::is_same_v<Stored, stored_bool>;

/// The element as a T: exactly where T is an integer, else rounded to the nearest. Nothing where T does not reach so
/// far.
template <class T, class Stored>
std::optional<T> convert_element(Stored element) {
  static_assert(is_convertible_element<T, Stored>, "convert_element: floats are not made integers");
  if constexpr (std::is_same_v<Stored, stored_bool>) {
    return static_cast<T>(element.byte != 0);
  } else if constexpr (std::is_same_v<Stored, float16>) {
    return static_cast<T>(static_cast<float>(element));
  } else if constexpr (std::integral<T>) {
    return std::in_range<T>(element) ? std::optional(static_cast<T>(element)) : std::nullopt;
  } else if constexpr (std::is_same_v<T, float> && std::is_same_v<Stored, double>) {
    // Half a step beyond the largest float, from where on rounding gives infinity.
    constexpr double limit = 0x1.ffffffp127;
    if (std::isfinite(element) && std::abs(element) >= limit) return std::nullopt;
    return static_cast<float>(element);
  } else {
    return static_cast<T>(element);
  }
}

/// Walks an array that is stored with its first axis contiguous, and is not empty: `position` is where C order has the
/// element at hand.
class fortran_walk {
public:
  template <class Shape>
  explicit fortran_walk(Shape const& shape) {
    std::int64_t stride = 1;
    for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis) {
      axes_.insert(axes_.begin(), axis_state{*axis, stride, 0});
      stride *= *axis;
    }
  }
  std::int64_t position() const { return position_; }
  void next() {
    for (auto& axis : axes_) {
      position_ += axis.stride;
      if (++axis.index < axis.extent) return;
      position_ -= axis.extent * axis.stride;
      axis.index = 0;
    }
  }

private:
  struct axis_state {
    std::int64_t extent, stride, index;
  };
  std::vector<axis_state> axes_;
  std::int64_t position_ = 0;
};

}  // namespace edgewise::inline v0::detail
