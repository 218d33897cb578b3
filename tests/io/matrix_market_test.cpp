#include <edgewise/io/matrix_market.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/edges.hpp"
#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using testing::edge;

weighted_edges<> read(std::string const& content, matrix_market_options options = {}) {
  testing::temporary_folder const folder;
  return read_matrix_market(folder.write("a.mtx", content), options);
}

std::vector<double> weights(weighted_edges<> const& matrix) { return {matrix.weights.begin(), matrix.weights.end()}; }

std::string header(std::string const& field, std::string const& symmetry = "general") {
  return "%%MatrixMarket matrix coordinate " + field + " " + symmetry + "\n";
}

TEST_CASE("values as float, integers only where a float holds them") {
  testing::temporary_folder const folder;
  auto const read_floats = [&](std::string const& value) {
    return read_matrix_market<int, int, float>(folder.write("a.mtx", header("integer") + "2 2 1\n1 1 " + value + "\n"))
        .weights[0];
  };
  CHECK(read_floats("16777216") == 16777216.0f);
  CHECK_THROWS_WITH(read_floats("16777217"),
                    Catch::Contains(":3: the value is 16777217, which no float holds exactly"));
}

TEST_CASE("a general real matrix") {
  auto const matrix = read(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n"
      "2 3 3\n1 3 0.5\n% another\n2 1 -1e2\n\n1 1 7\n");
  CHECK(matrix.edges.num_destinations() == 2);
  CHECK(matrix.edges.num_sources() == 3);
  CHECK(testing::edges_by_id(matrix.edges.view()) == std::vector<edge>{{2, 0, 0}, {0, 1, 1}, {0, 0, 2}});
  CHECK(std::vector<double>(matrix.weights.begin(), matrix.weights.end()) == std::vector<double>{0.5, -100, 7});
}

TEST_CASE("a symmetric matrix is mirrored, its diagonal is not") {
  auto const matrix = read("%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n3 3 2\r\n2 2 5\r\n3 1 +4\r\n");
  CHECK(testing::edges_by_id(matrix.edges.view()) == std::vector<edge>{{1, 1, 0}, {0, 2, 1}, {2, 0, 2}});
  CHECK(std::vector<double>(matrix.weights.begin(), matrix.weights.end()) == std::vector<double>{5, 4, 4});
}

TEST_CASE("a symmetric matrix lists either triangle") {
  auto const upper = read(header("real", "symmetric") + "3 3 1\n1 2 5\n");
  CHECK(testing::edges_by_id(upper.edges.view()) == std::vector<edge>{{1, 0, 0}, {0, 1, 1}});
  CHECK(weights(upper) == std::vector<double>{5, 5});
  auto const both = read(header("pattern", "symmetric") + "3 3 2\n1 2\n2 1\n");
  CHECK(testing::edges_by_id(both.edges.view()) == std::vector<edge>{{1, 0, 0}, {0, 1, 1}, {0, 1, 2}, {1, 0, 3}});
}

TEST_CASE("a skew-symmetric matrix is mirrored with the other sign") {
  auto const matrix = read(header("real", "Skew-Symmetric") + "3 3 3\n2 1 5\n1 3 -2\n2 2 4\n");
  CHECK(testing::edges_by_id(matrix.edges.view()) ==
        std::vector<edge>{{0, 1, 0}, {1, 0, 1}, {2, 0, 2}, {0, 2, 3}, {1, 1, 4}});
  CHECK(weights(matrix) == std::vector<double>{5, -5, -2, 2, 4});
  CHECK(weights(read(header("integer", "skew-symmetric") + "2 2 1\n2 1 7\n")) == std::vector<double>{7, -7});
}

TEST_CASE("integers are read exactly, or not at all") {
  CHECK(weights(read(header("integer") + "2 2 2\n1 1 9007199254740992\n1 2 -9223372036854775808\n")) ==
        std::vector<double>{9007199254740992.0, -9223372036854775808.0});
  CHECK(weights(read(header("unsigned-integer") + "2 2 1\n1 1 18446744073709549568\n")) ==
        std::vector<double>{18446744073709549568.0});
}

TEST_CASE("reals that are small, of Fortran, or of other programs") {
  CHECK(weights(read(header("real") + "2 2 4\n1 1 1.0e-400\n1 2 1e-310\n2 1 1.5D+3\n2 2 +.5\n")) ==
        std::vector<double>{0, 1e-310, 1500, 0.5});
  CHECK(weights(read("%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n")) == std::vector<double>{2});
  CHECK(weights(read(header("DOUBLE") + "2 2 1\n1 1 1.5\n")) == std::vector<double>{1.5});
  CHECK(weights(read("\xef\xbb\xbf" + header("real") + "2 2 1\n1 1 1.5\n")) == std::vector<double>{1.5});
  CHECK(std::isnan(read(header("real") + "2 2 1\n1 1 nan\n", {.non_finite = non_finite_numbers::accept}).weights[0]));
}

TEST_CASE("a pattern has no weights, and an empty matrix no entries") {
  auto const pattern = read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1");
  CHECK(pattern.edges.num_edges() == 2);
  CHECK(pattern.weights.empty());
  auto const empty = read("%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  CHECK(empty.edges.num_edges() == 0);
}

TEST_CASE("errors name the line") {
  testing::temporary_folder const folder;
  auto const refusal = [&](std::string const& content) {
    auto const path = folder.write("a.mtx", content);
    auto const message = testing::message_of<io_error>([&] { read_matrix_market(path); });
    return message.substr(0, path.size()) == path ? message.substr(path.size()) : message;
  };
  std::string const real = "%%MatrixMarket matrix coordinate real general\n";
  std::string const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  CHECK(refusal("") == ": ends after line 0: must begin with %%MatrixMarket");
  CHECK(refusal("1 2 3\n") == ":1: must be \"%%MatrixMarket matrix coordinate FIELD SYMMETRY\"");
  CHECK(refusal("%%MatrixMarket matrix array real general\n") ==
        ":1: format is array, which lists every element of a dense matrix; a graph is read from coordinate alone");
  CHECK(refusal("%%MatrixMarket matrix list real general\n") == ":1: format is list, must be coordinate");
  CHECK(refusal("%%MatrixMarket matrix coordinate complex general\n") ==
        ":1: field is complex, must be pattern, real, integer or unsigned-integer");
  CHECK(refusal("%%MatrixMarket matrix coordinate real hermitian\n") ==
        ":1: symmetry is hermitian, which is of complex matrices; must be general, symmetric or skew-symmetric");
  CHECK(refusal(header("real", "none")) == ":1: symmetry is none, must be general, symmetric or skew-symmetric");
  CHECK(refusal(header("pattern", "skew-symmetric")) ==
        ":1: a skew-symmetric matrix has values of both signs, and its field is pattern; must be real or integer");
  CHECK(refusal(header("unsigned-integer", "skew-symmetric")).find("is unsigned-integer") != std::string::npos);
  CHECK(refusal(real) == ": ends after line 1: must go on with a line of rows, columns and entries");
  CHECK(refusal(real + "%\n3 3\n") == ":3: must be three numbers: rows, columns and entries");
  CHECK(refusal(real + "3 x 1\n") == ":2: the number of columns is \"x\", must be a 64-bit integer");
  CHECK(refusal(real + "3 -3 1\n") == ":2: rows, columns and entries must not be negative");
  CHECK(refusal(real + "3 3 2\n1 1 1\n") == ": ends after line 3: has 1 entries, must have 2");
  CHECK(refusal(real + "3 3 1\n1 1 1\n2 2 2\n") == ":4: goes on after its 1 entries");
  CHECK(refusal(real + "3 3 1\n1 1\n") == ":3: has 2 fields, must have 3");
  CHECK(refusal(real + "3 4 1\n4 1 1\n") == ":3: row 4, must be in [1, 3]");
  CHECK(refusal(real + "3 4 1\n\n1 0 1\n") == ":4: column 0, must be in [1, 4]");
  CHECK(refusal(real + "3 4 1\n1 1 one\n") == ":3: the value is \"one\", must be a number");
  CHECK(refusal(symmetric + "3 4 0\n") == ":2: a symmetric matrix of 3 rows and 4 columns, must have as many");
  // Each side is held against its own count.
  CHECK(refusal(real + "5 3 1\n1 4 1\n") == ":3: column 4, must be in [1, 3]");
  CHECK(refusal(real + "3 5 1\n4 1 1\n") == ":3: row 4, must be in [1, 3]");
  CHECK(refusal(real + "5 3 1\n4 1 1\n") == "no error");
  CHECK(refusal(real + "5 5 1000000000000000000\n1 1 1\n") ==
        ": ends after line 3: has 1 entries, must have 1000000000000000000");
  CHECK(refusal(real + "5 5 9223372036854775808\n") ==
        ":2: the number of entries is \"9223372036854775808\", must be a 64-bit integer");
  CHECK(refusal(real + "2 2 1\n1 1 +-2.5\n") == ":3: the value is \"+-2.5\", must be a number");
  CHECK(refusal(real + "2 2 1\n1 1 nan\n") ==
        ":3: the value is \"nan\", must be finite (the option non_finite accepts others)");
  CHECK(refusal(header("integer") + "2 2 1\n1 1 1.5\n") == ":3: the value is \"1.5\", must be a 64-bit integer");
  CHECK(refusal(header("integer") + "2 2 1\n1 1 1e2\n") == ":3: the value is \"1e2\", must be a 64-bit integer");
  CHECK(refusal(header("integer") + "2 2 1\n1 1 nan\n") == ":3: the value is \"nan\", must be a 64-bit integer");
  CHECK(refusal(header("integer") + "2 2 1\n1 1 9007199254740993\n") ==
        ":3: the value is 9007199254740993, which no double holds exactly");
  CHECK(refusal(header("integer") + "2 2 1\n1 1 -9223372036854775807\n") ==
        ":3: the value is -9223372036854775807, which no double holds exactly");
  CHECK(refusal(header("unsigned-integer") + "2 2 1\n1 1 18446744073709551615\n") ==
        ":3: the value is 18446744073709551615, which no double holds exactly");
  CHECK(refusal(header("unsigned-integer") + "2 2 1\n1 1 -1\n") ==
        ":3: the value is \"-1\", must be an unsigned 64-bit integer");
  CHECK(testing::message_of<io_error>([&] { read_matrix_market(folder.path()); }) ==
        folder.path().string() + ": is a folder, must be a file");
  CHECK(testing::message_of<invalid_argument>([&] { read(real + "3000000000 1 0\n"); }) ==
        "read_matrix_market: rows = 3000000000, but its type holds at most 2147483647");
}

}  // namespace
}  // namespace edgewise
