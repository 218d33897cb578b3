// Text put together from parts, as `operator<<` of a stream prints them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace edgewise::detail {

class text_builder {
public:
  text_builder& operator<<(char part) {
    text_ += part;
    return *this;
  }
  text_builder& operator<<(std::string_view part) {
    text_ += part;
    return *this;
  }
  template <class T>
  requires std::is_arithmetic_v<T> text_builder& operator<<(T part) {
    if constexpr (std::is_floating_point_v<T>) {
      char digits[32];
      std::snprintf(digits, sizeof(digits), "%g", static_cast<double>(part));
      text_ += digits;
    } else {
      text_ += std::to_string(part);
    }
    return *this;
  }
  std::string const& str() const { return text_; }

private:
  std::string text_;
};

/// Concatenates its arguments: the building block of error messages.
template <class... T>
std::string text(T const&... parts) {
  text_builder builder;
  ((builder << parts), ...);
  return builder.str();
}

}  // namespace edgewise::detail
