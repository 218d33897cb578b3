#include <edgewise/register/edge_mask.hpp>

#include <cstdint>
#include <limits>

#include "support/catch.hpp"

using edgewise::detail::edge_mask;

TEST_CASE("edge_mask: the edges before the end, whatever the distance", "[register]") {
  for (int begin : {0, 3, 1000}) {
    for (int end : {0, 3, 5, 7, 8, 1 << 30}) {
      auto const narrow = edge_mask<4>::of(begin, end);
      auto const wide = edge_mask<4>::of(std::int64_t{begin}, std::int64_t{end});
      for (int b = 0; b < 4; ++b) {
        INFO(begin << " to " << end << ", edge " << b);
        bool const expected = begin + b < end;
        CHECK(narrow[b] == expected);
        CHECK(narrow.has(b) == expected);
        CHECK(wide[b] == expected);
        CHECK(wide.has(b) == expected);
      }
    }
  }
  std::int64_t const far = std::numeric_limits<std::int64_t>::max() - 8;
  CHECK(edge_mask<4>::of(std::int64_t{0}, far)[3]);
  CHECK(edge_mask<4>::of(far - 2, far)[1]);
  CHECK_FALSE(edge_mask<4>::of(far - 2, far)[2]);
  CHECK_FALSE(edge_mask<4>::of(far, std::int64_t{0})[0]);
  std::int64_t const past = (std::int64_t{1} << 32) - 3;  // 3 in the bits of an int
  CHECK_FALSE(edge_mask<4>::of(past, std::int64_t{0})[1]);
  CHECK_FALSE(edge_mask<4>::of(past, std::int64_t{0}).has(1));
}

TEST_CASE("edge_mask: a block of one", "[register]") {
  CHECK(edge_mask<1>::one(true)[0]);
  CHECK(edge_mask<1>::one(true).has(0));
  CHECK_FALSE(edge_mask<1>::one(false)[0]);
  CHECK_FALSE(edge_mask<1>::one(false).has(0));
}
