#include <edgewise/io/number_text.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "support/catch.hpp"

namespace edgewise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The number in the text; -7 where there is none.
double real(std::string const& digits) { return detail::parse_real<double>(digits).value_or(-7); }
std::int64_t integer(std::string const& digits) { return detail::parse_integer<std::int64_t>(digits).value_or(-7); }

TEST_CASE("integers have at most one sign and nothing around them") {
  CHECK(integer("12") == 12);
  CHECK(integer("+12") == 12);
  CHECK(integer("-12") == -12);
  CHECK(integer("007") == 7);
  CHECK(integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  for (auto const* digits : {"", "+", "-", "+-5", "-+5", "++5", "--5", "5.0", "5e0", "0x5", "5 ", " 5", "1_0",
                             "9223372036854775808", "-9223372036854775809", "nan"}) {
    CAPTURE(digits);
    CHECK(integer(digits) == -7);
  }
  CHECK(detail::parse_integer<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(!detail::parse_integer<std::uint64_t>("-1"));
}

TEST_CASE("reals in the forms that programs write") {
  CHECK(real("2.5") == 2.5);
  CHECK(real("+2.5") == 2.5);
  CHECK(real("-2.5E+2") == -250);
  CHECK(real(".5") == 0.5);
  CHECK(real("5.") == 5);
  CHECK(real("1.5D+3") == 1500);
  CHECK(real("-1.5d-1") == -0.15);
  CHECK(real("+1D0") == 1);
  CHECK(real("9007199254740993") == 9007199254740992.0);  // rounded as decimals are
  CHECK(real("inf") == infinity);
  CHECK(real("-Infinity") == -infinity);
  CHECK(std::isnan(real("NaN")));
  CHECK(std::isnan(real("-nan")));
  for (auto const* digits : {"",         "+",  "-",   ".",   "e5",    "d5",    "+-2.5", "-+2.5", "++2.5",
                             "--2.5",    "1e", "1e+", "1d",  "1e5e5", "1d5e5", "1.2.3", "0x1p3", "nan(1)",
                             "infinite", "in", "1_0", "1,5", "2.5f",  " 1",    "1 ",    "+-nan", "1.#INF"}) {
    CAPTURE(digits);
    CHECK(real(digits) == -7);
  }
}

TEST_CASE("reals beyond their type are 0 or infinite") {
  CHECK(real("1e-310") == 1e-310);  // denormal
  CHECK(real("1e-400") == 0);
  CHECK(real("1.0e-400") == 0);
  CHECK(std::signbit(real("-1D-400")));
  CHECK(real("1e-99999999999999999999") == 0);
  CHECK(real("0." + std::string(400, '0') + "1") == 0);
  CHECK(real("0." + std::string(400, '0') + "1e401") == 1);
  CHECK(real("0e99999999999999999999") == 0);
  CHECK(real("1e400") == infinity);
  CHECK(real("-1d400") == -infinity);
  CHECK(real("1e99999999999999999999") == infinity);
  CHECK(real(std::string(400, '9')) == infinity);
  CHECK(real(std::string(400, '9') + "e-399") == Approx(10));
  CHECK(real("0." + std::string(400, '0') + "1e800") == infinity);
  CHECK(detail::parse_real<float>("1e-50") == 0.0f);
  CHECK(detail::parse_real<float>("1e39") == std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace edgewise
