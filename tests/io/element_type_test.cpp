#include <edgewise/io/element_type.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

namespace edgewise {
namespace {

using detail::convert_element;
using detail::element_type;
using detail::parse_element_type;

TEST_CASE("names of types as NumPy writes them") {
  CHECK(parse_element_type("<i4") == element_type{'i', 4, false});
  CHECK(parse_element_type(">f8") == element_type{'f', 8, true});
  CHECK(parse_element_type("=u2") == element_type{'u', 2, false});
  CHECK(parse_element_type("i8") == element_type{'i', 8, false});
  CHECK(parse_element_type("|b1") == element_type{'b', 1, false});
  CHECK(parse_element_type(">i1") == element_type{'i', 1, false});  // one byte has no order
  for (std::string_view const name : {"", "<", "i", "<i", "<i3", "<i16", "<f1", "<c8", "<U1", "|O", "> i4", "<i4 ",
                                      "<b4", "!i4", "<M8[s]", "<<i4", "<i0", "<i\xff"}) {
    CAPTURE(name);
    CHECK(!parse_element_type(name));
  }
}

TEST_CASE("elements of either byte order") {
  CHECK(detail::load_element<std::int32_t>("\1\2\3\4", false) == 0x04030201);
  CHECK(detail::load_element<std::int32_t>("\1\2\3\4", true) == 0x01020304);
  CHECK(detail::load_element<double>("\x3f\xf8\0\0\0\0\0\0", true) == 1.5);
}

TEST_CASE("integers are exact, floats the nearest") {
  CHECK(convert_element<std::int32_t>(std::int64_t{-5}) == -5);
  CHECK(!convert_element<std::int32_t>(std::int64_t{1} << 31));
  CHECK(!convert_element<std::int32_t>(std::uint32_t{1} << 31));
  CHECK(!convert_element<std::uint8_t>(std::int8_t{-1}));
  CHECK(convert_element<std::int32_t>(detail::stored_bool{7}) == 1);
  CHECK(convert_element<float>(float16(1.5f)) == 1.5f);
  CHECK(convert_element<float>(std::uint64_t{1} << 63) == 9223372036854775808.0f);
  CHECK(convert_element<float>(1e-50) == 0.0f);
  constexpr double largest = std::numeric_limits<float>::max();
  CHECK(convert_element<float>(largest * (1 + 1e-8)) == std::numeric_limits<float>::max());
  CHECK(!convert_element<float>(largest * (1 + 1e-7)));
  CHECK(!convert_element<float>(-1e300));
  CHECK(convert_element<float>(-std::numeric_limits<double>::infinity()) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(convert_element<float>(std::nan("")).value()));
  static_assert(!detail::is_convertible_element<int, float16> && !detail::is_convertible_element<int, double>);
}

TEST_CASE("every type of memory has a name") {
  int found = 0;
  for (char const kind : std::string("biuf")) {
    for (std::size_t const size : {1, 2, 4, 8}) {
      found += detail::with_stored_type({kind, size, false}, [&](auto stored) { CHECK(sizeof(stored) == size); });
    }
  }
  CHECK(found == 12);
}

TEST_CASE("a walk in Fortran order ends where it began") {
  detail::fortran_walk walk(std::vector<std::int64_t>{2, 3});
  std::vector<std::int64_t> positions;
  for (int k = 0; k < 7; ++k, walk.next()) positions.push_back(walk.position());
  CHECK(positions == std::vector<std::int64_t>{0, 3, 1, 4, 2, 5, 0});
}

}  // namespace
}  // namespace edgewise
