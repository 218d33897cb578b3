#include <edgewise/io/linqs.hpp>

#include <string>
#include <variant>
#include <vector>

#include "support/catch.hpp"

#include "../format/edges.hpp"
#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using testing::edge;

std::string const content = "31336\t0\t1\t0\tTheory\nabc\t0\t0\t0\tAgents\n1061127\t1\t1\t0\tTheory\n";
std::string const cites = "31336\t1061127\nabc\t31336\nabc\tabc\n";

dataset read(std::string const& content_text, std::string const& cites_text, linqs_options options = {}) {
  testing::temporary_folder const folder;
  return read_linqs(folder.write("x.content", content_text), folder.write("x.cites", cites_text), options);
}

TEST_CASE("papers, words, classes and citations") {
  auto const data = read(content, cites);
  CHECK(data.edges.num_sources() == 3);
  CHECK(testing::edges_by_id(data.edges.view()) == std::vector<edge>{{2, 0, 0}, {0, 1, 1}, {1, 1, 2}});
  CHECK(data.class_names == std::vector<std::string>{"Agents", "Theory"});
  CHECK(data.num_classes == 2);
  CHECK(std::vector<int>(data.labels.begin(), data.labels.end()) == std::vector<int>{1, 0, 1});
  auto const features = dense_features_of(data);
  CHECK(features.num_columns == 3);
  CHECK(std::vector<float>(features.values.begin(), features.values.end()) ==
        std::vector<float>{0, 1, 0, 0, 0, 0, 1, 1, 0});
  CHECK(std::holds_alternative<sparse_features>(data.features));
  CHECK(data.train.empty());
}

TEST_CASE("citations in both directions, a self citation once") {
  auto const data = read(content, cites, {.direction = edge_direction::both});
  CHECK(testing::edges_by_id(data.edges.view()) ==
        std::vector<edge>{{2, 0, 0}, {0, 2, 1}, {0, 1, 2}, {1, 0, 3}, {1, 1, 4}});
}

TEST_CASE("citations of unknown papers are refused or skipped") {
  CHECK(read(content, "31336 nobody\n31336 abc\n", {.unknown = unknown_papers::skip}).edges.num_edges() == 1);
  testing::temporary_folder const folder;
  auto const content_path = folder.write("x.content", content);
  auto const cites_path = folder.write("x.cites", "31336 abc\n31336 nobody\n");
  CHECK(testing::message_of<io_error>([&] { read_linqs(content_path, cites_path); }) ==
        cites_path + ":2: paper nobody is not in the .content file");
}

TEST_CASE("errors of the content name the line") {
  auto const refusal = [](std::string const& text, std::string const& end) {
    auto const message = testing::message_of<io_error>([&] { read(text, ""); });
    return message.size() >= end.size() && message.substr(message.size() - end.size()) == end;
  };
  CHECK(refusal("1 0 A\n2 0 1 A\n", "x.content:2: has 4 fields, the lines before have 3"));
  CHECK(refusal("1 0 A\n1 1 B\n", "x.content:2: paper 1 is there twice"));
  CHECK(refusal("1 zero A\n", "x.content:1: a word is \"zero\", must be a number"));
  CHECK(refusal("1 nan A\n", "x.content:1: a word is \"nan\", must be finite (the option non_finite accepts others)"));
  CHECK(refusal("1 1e39 A\n", "must be finite (the option non_finite accepts others)"));
  CHECK(read("1 1e39 A\n", "", {.non_finite = non_finite_numbers::accept}).edges.num_sources() == 1);
  CHECK(refusal("1\n", "x.content:1: must have a paper, its words and its class"));
}

TEST_CASE("a folder in place of a file") {
  testing::temporary_folder const folder;
  CHECK(testing::message_of<io_error>([&] { read_linqs(folder.path(), folder.write("x.cites", "")); }) ==
        folder.path().string() + ": is a folder, must be a file");
  CHECK(testing::message_of<io_error>([&] { read_linqs(folder.write("x.content", ""), folder.path()); }) ==
        folder.path().string() + ": is a folder, must be a file");
}

TEST_CASE("a byte-order mark and Fortran's exponents") {
  auto const data = read("\xef\xbb\xbf" + std::string("a 1D0 A\nb 0 B\n"), "a b\n");
  CHECK(testing::edges_by_id(data.edges.view()) == std::vector<edge>{{1, 0, 0}});
  CHECK(dense_features_of(data).values[0] == 1);
}

TEST_CASE("no papers at all") {
  auto const data = read("", "");
  CHECK(data.edges.num_sources() == 0);
  CHECK(data.num_classes == 0);
  CHECK(dense_features_of(data).values.empty());
}

}  // namespace
}  // namespace edgewise
