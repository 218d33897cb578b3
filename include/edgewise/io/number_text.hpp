// Numbers as text files have them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace edgewise::inline v0 {

/// What a reader of text does about numbers that are NaN or infinite, or too large for their type, which makes them
/// infinite: one of them makes every sum that it enters useless.
enum class non_finite_numbers { refuse, accept };

namespace detail {

/// All of `digits` as an integer, with at most one sign before it. Nothing where it is none, or none that T holds.
template <std::integral T>
std::optional<T> parse_integer(std::string_view digits) {
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  T value{};
  auto const [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// Whether decimal digits such as 0.00123e45, without a sign, name a number of at least 1: tells what is too large for
/// a type from what is too small. `exponent` letters are e alone.
inline bool is_at_least_one(std::string_view digits) {
  constexpr std::int64_t largest = std::int64_t{1} << 60;  // beyond any length of a text
  auto const letter = digits.find('e');
  auto const mantissa = digits.substr(0, letter);
  std::int64_t exponent = 0;
  if (letter != digits.npos) {
    auto const power = digits.substr(letter + 1);
    auto const exact = parse_integer<std::int64_t>(power);
    exponent = exact ? std::clamp(*exact, -largest, largest) : (power.front() == '-' ? -largest : largest);
  }
  auto const point = std::min(mantissa.find('.'), mantissa.size());
  auto const first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos) return false;
  // The power of ten of the first digit that counts.
  auto const power = first < point ? static_cast<std::int64_t>(point - first) - 1
                                   : static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return power + exponent >= 0;
}

/// All of `digits` as a number, rounded to the nearest T: 1.5, .5, 5., 1e-3 or Fortran's 1.5D+3, with at most one sign;
/// nan, inf and infinity in letters of either case. What is too small for T is its 0 of the same sign, what is too
/// large its infinity. Nothing where the text is no number.
template <std::floating_point T>
std::optional<T> parse_real(std::string_view digits) {
  bool const is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  auto const signed_value = [&](T value) { return is_negative ? -value : value; };
  auto const* const last = digits.data() + digits.size();
  T value{};
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  if (auto const [end, status] = std::from_chars(digits.data(), last, value);  // most numbers end here
      end == last && status == std::errc() && std::isfinite(value)) {
    return signed_value(value);
  }
  std::string plain(digits);
  for (char& letter : plain) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  if (plain == "nan") return signed_value(std::numeric_limits<T>::quiet_NaN());
  if (plain == "inf" || plain == "infinity") return signed_value(std::numeric_limits<T>::infinity());
  if (plain.find_first_not_of("0123456789.+-de") != plain.npos) return std::nullopt;
  std::replace(plain.begin(), plain.end(), 'd', 'e');
  auto const [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (end != plain.data() + plain.size()) return std::nullopt;
  if (status == std::errc::result_out_of_range) {
    return signed_value(is_at_least_one(plain) ? std::numeric_limits<T>::infinity() : T(0));
  }
  return status == std::errc() ? std::optional<T>(signed_value(value)) : std::nullopt;
}

}  // namespace detail
}  // namespace edgewise::inline v0
