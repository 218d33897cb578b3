// Sizes of arrays, checked.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0::detail {

/// More than any memory has, by so much that a few of these may be added up, and multiplied by an element's bytes.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 52;

/// The product of counts that are not negative. Throws `invalid_argument` where one is, and where the product is more
/// than memory can have.
template <class... Factor>
constexpr std::int64_t size_of_array(Factor... factors) {
  std::int64_t product = 1;
  bool fits = true;
  auto const multiply = [&](auto factor) {
    auto const by = static_cast<std::int64_t>(factor);  // sizes from 2^63 on are negative here
    fits = fits && by >= 0 && (by == 0 || product <= largest_size / by);
    product = fits ? product * by : product;
  };
  (multiply(factors), ...);
  if (!fits) {
    auto const list = [&] {
      std::string text;
      ((text += (text.empty() ? "" : " x ") + std::to_string(factors)), ...);
      return text;
    };
    throw invalid_argument(text("an array of ", list, " is more than memory can have"));
  }
  return product;
}

}  // namespace edgewise::inline v0::detail
