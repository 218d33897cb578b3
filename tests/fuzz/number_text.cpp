// Numbers of text, held against the C library's.
#include <edgewise/io/number_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "target.hpp"

namespace edgewise::testing {

namespace {

bool same(double left, double right) {
  return (std::isnan(left) && std::isnan(right)) || std::memcmp(&left, &right, sizeof(left)) == 0;
}

}  // namespace

void fuzz_number_text(std::string_view bytes) {
  std::string c_digits(bytes);
  if (auto const value = edgewise::detail::parse_real<double>(bytes)) {
    if (c_digits.find_first_of("xXnN") == c_digits.npos) std::replace(c_digits.begin(), c_digits.end(), 'd', 'e');
    if (c_digits.find_first_of("xXnN") == c_digits.npos) std::replace(c_digits.begin(), c_digits.end(), 'D', 'e');
    char* end = nullptr;
    auto const expected = std::strtod(c_digits.c_str(), &end);
    require(end == c_digits.c_str() + c_digits.size(), "what is a number here is one in C");
    require(same(*value, expected), "numbers are those of C");
  }
  if (auto const value = edgewise::detail::parse_integer<std::int64_t>(bytes)) {
    char* end = nullptr;
    require(*value == std::strtoll(c_digits.c_str(), &end, 10) && end == c_digits.c_str() + c_digits.size(),
            "integers are those of C");
    auto const real = edgewise::detail::parse_real<double>(bytes);
    require(real && *real == static_cast<double>(*value), "integers are numbers");
  }
  edgewise::detail::parse_real<float>(bytes);
}

}  // namespace edgewise::testing
