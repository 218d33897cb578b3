#include <edgewise/format/make.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

using testing::message_of;
using testing::values;

TEST_CASE("make_* copy what they are given") {
  std::vector<int> offsets{0, 2, 3};
  std::vector<int> neighbors{2, 0, 1};
  auto const rows = make_csr({.sources = 3, .destinations = 2}, offsets, neighbors);
  neighbors[0] = 99;
  CHECK(rows.num_sources() == 3);
  CHECK(rows.num_destinations() == 2);
  CHECK(rows.num_edges() == 3);
  CHECK(values(rows.view().neighbors, 3) == std::vector<int>{2, 0, 1});
  CHECK(rows.view().edge_ids == nullptr);
  CHECK(rows.size_bytes() == 24);
}

TEST_CASE("index and offset types are those of the arrays") {
  std::array<std::int64_t, 3> const offsets{0, 1, 2};
  std::vector<std::int32_t> const neighbors{1, 0};
  std::vector<std::int64_t> const ids{1, 0};
  auto const rows = make_csc(vertices(2), std::span(offsets), neighbors, ids);
  STATIC_REQUIRE(std::is_same_v<decltype(rows), csc<std::int32_t, std::int64_t, host_space> const>);
  CHECK(rows.view().edge_id(0) == 1);
  auto const pairs = make_coo<std::int64_t>(vertices(2), neighbors, neighbors, ids);
  STATIC_REQUIRE(std::is_same_v<decltype(pairs), coo<std::int32_t, std::int64_t> const>);
  CHECK(pairs.view().edge_id(1) == 0);
}

TEST_CASE("contents are checked unless validation is off, sizes always") {
  std::vector<int> const offsets{0, 2, 3};
  std::vector<int> const neighbors{2, 0, 1};
  auto const make = [&](validation check) { return make_csr(vertices(2), offsets, neighbors, check); };
  CHECK(message_of<invalid_argument>([&] { make(validation::on); }) ==
        "csr: neighbors[0] = 2, but the graph has 2 sources");
  CHECK(make(validation::off).view().neighbors[0] == 2);

  CHECK(message_of<invalid_argument>([&] { make_csr(vertices(3), offsets, neighbors, validation::off); }) ==
        "csr: offsets has 3 elements, must have num_rows + 1 = 4");
  std::vector<int> const two{0, 1};
  CHECK(message_of<invalid_argument>([&] {
          make_csc({.sources = 2, .destinations = 3}, offsets, neighbors, two, validation::off);
        }) == "csc: edge_ids has 2 elements, must have num_edges = 3");
  CHECK(message_of<invalid_argument>([&] { make_coo(vertices(3), neighbors, two); }) ==
        "coo: destinations has 2 elements, must have num_edges = 3");
  CHECK(message_of<invalid_argument>([&] { make_coo(vertices(-1), two, two); }) ==
        "coo: num_sources = -1, must not be negative");
  CHECK(message_of<invalid_argument>([&] { make_coo(vertices(std::int64_t{1} << 31), two, two); }) ==
        "coo: num_sources = 2147483648, but its type holds at most 2147483647");
  CHECK(message_of<invalid_argument>([&] { detail::checked_count<int>("coo", "num_edges", std::int64_t{1} << 33); }) ==
        "coo: num_edges = 8589934592, but its type holds at most 2147483647");
}

TEST_CASE("make_* take their memory from the resource and give it back on errors") {
  counting_resource memory(host_memory());
  std::vector<int> const offsets{0, 1};
  std::vector<int> const neighbors{0};
  {
    auto const rows = make_csr(vertices(1), offsets, neighbors, {}, validation::on, &memory);
    CHECK(rows.memory() == &memory);
    CHECK(memory.live_bytes() == rows.size_bytes());
  }
  std::vector<int> const wrong{7};
  CHECK_THROWS_AS(make_csr(vertices(1), offsets, wrong, {}, validation::on, &memory), invalid_argument);
  CHECK(memory.live_bytes() == 0);
}

}  // namespace
}  // namespace edgewise
