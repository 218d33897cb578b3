#include <edgewise/io/edge_list.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/edges.hpp"
#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using testing::edge;

weighted_edges<> read(std::string const& content, edge_list_options options = {}) {
  testing::temporary_folder const folder;
  return read_edge_list(folder.write("edges.txt", content), options);
}

TEST_CASE("edges with comments, empty lines and any separator") {
  auto const list = read("# comment\n0 3\n\n% comment\r\n 3\t0 \n1,2\n2 ; 2");
  CHECK(testing::edges_by_id(list.edges.view()) == std::vector<edge>{{0, 3, 0}, {3, 0, 1}, {1, 2, 2}, {2, 2, 3}});
  CHECK(list.edges.num_sources() == 4);
  CHECK(list.edges.num_destinations() == 4);
  CHECK(list.weights.empty());
}

TEST_CASE("weights, both directions, a first id and a vertex count") {
  auto const list = read("1 2 0.5\n3 3 2\n", {.direction = edge_direction::both, .num_vertices = 5, .first_id = 1});
  CHECK(testing::edges_by_id(list.edges.view()) == std::vector<edge>{{0, 1, 0}, {1, 0, 1}, {2, 2, 2}});
  CHECK(std::vector<double>(list.weights.begin(), list.weights.end()) == std::vector<double>{0.5, 0.5, 2});
  CHECK(list.edges.num_sources() == 5);
}

TEST_CASE("a list without edges") {
  CHECK(read("").edges.num_sources() == 0);
  CHECK(read("# nothing\n", {.num_vertices = 3}).edges.num_destinations() == 3);
}

TEST_CASE("a byte-order mark, Fortran's exponents and weights too small for a double") {
  auto const list = read(
      "\xef\xbb\xbf"
      "0 1 1.5D+3\n1 0 1e-400\n");
  CHECK(testing::edges_by_id(list.edges.view()) == std::vector<edge>{{0, 1, 0}, {1, 0, 1}});
  CHECK(std::vector<double>(list.weights.begin(), list.weights.end()) == std::vector<double>{1500, 0});
}

TEST_CASE("weights as float, of its own range") {
  testing::temporary_folder const folder;
  auto const list = read_edge_list<int, int, float>(folder.write("edges.txt", "0 1 0.1\n1 0 1e-60\n"));
  CHECK(std::vector<float>(list.weights.begin(), list.weights.end()) == std::vector<float>{0.1f, 0});
  CHECK_THROWS_WITH((read_edge_list<int, int, float>(folder.write("large.txt", "0 1 1e60\n"))),
                    Catch::Contains(":1: the weight is \"1e60\", must be finite"));
}

TEST_CASE("weights that are not finite are read where the options accept them") {
  auto const list = read("0 1 nan\n1 0 -inf\n0 0 1e400\n", {.non_finite = non_finite_numbers::accept});
  CHECK(std::isnan(list.weights[0]));
  CHECK(list.weights[1] == -std::numeric_limits<double>::infinity());
  CHECK(list.weights[2] == std::numeric_limits<double>::infinity());
}

TEST_CASE("first ids of any sign, and ids as large as they get") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  auto const below = read("-5 -3\n", {.first_id = -5});
  CHECK(testing::edges_by_id(below.edges.view()) == std::vector<edge>{{0, 2, 0}});
  CHECK(below.edges.num_sources() == 3);
  auto const lowest = read(std::to_string(least) + " " + std::to_string(least + 1), {.first_id = least});
  CHECK(testing::edges_by_id(lowest.edges.view()) == std::vector<edge>{{0, 1, 0}});
  CHECK(read("0 2147483646\n").edges.num_sources() == 2147483647);
  testing::temporary_folder const folder;
  auto const wide = read_edge_list<std::int64_t>(folder.write("edges.txt", "0 9223372036854775806\n"));
  CHECK(wide.edges.num_sources() == 9223372036854775807);
}

TEST_CASE("errors name the line") {
  testing::temporary_folder const folder;
  auto const refusal = [&](std::string const& content, edge_list_options options = {}) {
    auto const path = folder.write("edges.txt", content);
    auto const message = testing::message_of<io_error>([&] { read_edge_list(path, options); });
    return message.substr(0, path.size()) == path ? message.substr(path.size()) : message;
  };
  CHECK(refusal("0 1\n2\n") == ":2: has 1 fields, the lines before have 2");
  CHECK(refusal("0 1\n0 1 2\n") == ":2: has 3 fields, the lines before have 2");
  CHECK(refusal("0\n") == ":1: has 1 fields, must have 2 or 3");
  CHECK(refusal("#\n\n0 b\n") == ":3: the destination is \"b\", must be a 64-bit integer");
  CHECK(refusal("1.5 0\n") == ":1: the source is \"1.5\", must be a 64-bit integer");
  CHECK(refusal("0 -1\n") == ":1: the destination is -1, must be in [0, 2147483647)");
  CHECK(refusal("0 2147483647\n") == ":1: the destination is 2147483647, must be in [0, 2147483647)");
  CHECK(refusal("0 99999999999999999999\n") ==
        ":1: the destination is \"99999999999999999999\", must be a 64-bit integer");
  CHECK(refusal("0 3\n", {.num_vertices = 3}) == ":1: the destination is 3, must be in [0, 3)");
  CHECK(refusal("0 1\n", {.first_id = 1}) == ":1: the source is 0, must be in [1, 2147483648)");
  CHECK(refusal("0 9223372036854775807\n") == ":1: the destination is 9223372036854775807, must be in [0, 2147483647)");
  CHECK(refusal("0 9223372036854775807\n", {.first_id = -5}) ==
        ":1: the destination is 9223372036854775807, must be in [-5, 2147483642)");
  CHECK(refusal("0 4294967291\n", {.first_id = -5}) ==
        ":1: the destination is 4294967291, must be in [-5, 2147483642)");
  CHECK(refusal("-6 0\n", {.first_id = -5}) == ":1: the source is -6, must be in [-5, 2147483642)");
  CHECK(refusal("-9223372036854775808 0\n", {.first_id = 1}) ==
        ":1: the source is -9223372036854775808, must be in [1, 2147483648)");
  CHECK(refusal("0 1\n", {.first_id = 9223372036854775807}) ==
        ":1: the source is 0, must be at least 9223372036854775807");
  CHECK(refusal("0 1 nan\n1 0 -inf\n") ==
        ":1: the weight is \"nan\", must be finite (the option non_finite accepts others)");
  CHECK(refusal("0 1 0\n1 0 -inf\n") ==
        ":2: the weight is \"-inf\", must be finite (the option non_finite accepts others)");
  CHECK(refusal("0 1 1e400\n") == ":1: the weight is \"1e400\", must be finite (the option non_finite accepts others)");
  CHECK(refusal("0 1 +-2.5\n") == ":1: the weight is \"+-2.5\", must be a number");
  CHECK(refusal("0 +-1\n") == ":1: the destination is \"+-1\", must be a 64-bit integer");
  CHECK(refusal("0 1 x\n") == ":1: the weight is \"x\", must be a number");
  CHECK(testing::message_of<io_error>([&] { read_edge_list(folder.file("missing")); }) ==
        folder.file("missing") + ": cannot be opened");
  CHECK(testing::message_of<io_error>([&] { read_edge_list(folder.path()); }) ==
        folder.path().string() + ": is a folder, must be a file");
}

TEST_CASE("options that no graph has") {
  CHECK(testing::message_of<invalid_argument>([&] { read("", {.num_vertices = -2}); }) ==
        "read_edge_list: num_vertices = -2, must be -1 or not negative");
  CHECK(testing::message_of<invalid_argument>([&] { read("0 1\n", {.num_vertices = 4294967298}); }) ==
        "read_edge_list: num_vertices = 4294967298, but its type holds at most 2147483647");
}

}  // namespace
}  // namespace edgewise
