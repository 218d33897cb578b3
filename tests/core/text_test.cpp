#include <edgewise/core/text.hpp>

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "support/catch.hpp"

using edgewise::detail::text;

namespace {

template <class T>
std::string streamed(T const& part) {
  std::ostringstream stream;
  stream << part;
  return stream.str();
}

}  // namespace

TEST_CASE("text: prints numbers as a stream does", "[core]") {
  for (double const x : {0.0, -0.0, 1.0, 1.5, -2.25, 1e-7, 123456.0, 1234567.0, 1.0 / 3, 1e300, 0.1}) {
    CHECK(text(x) == streamed(x));
    CHECK(text(static_cast<float>(x)) == streamed(static_cast<float>(x)));
  }
  CHECK(text(std::numeric_limits<double>::infinity()) == streamed(std::numeric_limits<double>::infinity()));
  for (std::int64_t const i : {std::int64_t{0}, std::int64_t{-7}, std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max()}) {
    CHECK(text(i) == streamed(i));
    CHECK(text(static_cast<std::uint64_t>(i)) == streamed(static_cast<std::uint64_t>(i)));
  }
  CHECK(text(true) == streamed(true));
}

TEST_CASE("text: puts parts together", "[core]") {
  std::string const name = "h";
  CHECK(text() == "");
  CHECK(text("bind<", name, ">: ", 3, 'x', std::string_view("4"), ' ', 0.5, name.c_str()) == "bind<h>: 3x4 0.5h");
}
