#include <edgewise/io/planetoid.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/io/npy_folder.hpp>

#include "../format/edges.hpp"
#include "../format/message.hpp"
#include "planetoid_files.hpp"

namespace edgewise {
namespace {

using testing::edge;
using testing::pickle_writer;
using testing::planetoid_labels;
using testing::write_planetoid;

template <class T>
std::vector<T> listed(host_buffer<T> const& values) {
  return {values.begin(), values.end()};
}

TEST_CASE("a network in protocols 0, 2 and, of Python 3, 4") {
  for (int const protocol : {0, 2, 4}) {
    testing::temporary_folder const folder;
    write_planetoid(folder, {protocol});
    auto const data = read_planetoid(folder.path());
    CHECK(data.edges.num_sources() == 6);
    // 0 - 1 is listed twice, 2 - 2 is a loop, 5 - 2 is listed at 5 alone.
    CHECK(testing::edges_by_id(data.edges.view()) ==
          std::vector<edge>{{0, 1, 0}, {0, 3, 1}, {1, 0, 2}, {2, 5, 3}, {3, 0, 4}, {5, 2, 5}});
    CHECK(std::holds_alternative<sparse_features>(data.features));
    auto const features = dense_features_of(data);
    CHECK(features.num_rows == 6);
    CHECK(features.num_columns == 3);
    // Rows of allx; then tx, whose first row is vertex 5 and whose second is vertex 3; vertex 4 is in neither.
    CHECK(listed(features.values) == std::vector<float>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 5, 5, 0, 0, 0, 4, 0, 0});
    CHECK(data.num_classes == 2);
    CHECK(listed(data.labels) == std::vector<std::int32_t>{0, 1, 0, 0, 0, 1});  // 2 and 4 have no class: 0
    CHECK(listed(data.train) == std::vector<std::int32_t>{0, 1});
    CHECK(listed(data.validation) == std::vector<std::int32_t>{2});
    CHECK(listed(data.test) == std::vector<std::int32_t>{3, 5});
  }
}

TEST_CASE("500 vertices after the training rows validate") {
  testing::temporary_folder const folder;
  pickle_writer const w;
  write_planetoid(folder, w);
  constexpr int num_first = 600;
  std::string labels, lists;
  for (int v = 0; v < num_first; ++v) labels += testing::bytes_of({v == 1 ? 0 : 1, v == 1 ? 1 : 0});
  for (int v = 0; v < num_first + 2; ++v) lists += w.integer(v) + w.list({});
  auto const two = w.tuple({w.integer(num_first), w.integer(2)});
  auto const zeros = w.array(w.type("i4"), w.tuple({w.integer(num_first + 1)}), std::string(4 * (num_first + 1), '\0'));
  auto const none = w.array(w.type("i4"), w.tuple({w.integer(0)}), "");
  folder.write("ind.tiny.ally", w.whole(w.array(w.type("i4"), two, labels)));
  folder.write("ind.tiny.allx", w.whole(w.global("scipy.sparse.csr", "csr_matrix") + ")\x81}" +
                                        w.items({{w.string("_shape"), w.tuple({w.integer(num_first), w.integer(3)})},
                                                 {w.string("indptr"), zeros},
                                                 {w.string("indices"), none},
                                                 {w.string("data"), none}}) +
                                        "b"));
  folder.write("ind.tiny.graph", w.whole("}(" + lists + "u"));
  folder.write("ind.tiny.test.index", "600\n601\n");
  auto const data = read_planetoid(folder.path(), "tiny");
  CHECK(data.validation.size() == 500);
  CHECK(data.validation[0] == 2);
  CHECK(data.validation[499] == 501);
  CHECK(data.labels[601] == 0);
}

TEST_CASE("a folder with several networks needs a name") {
  testing::temporary_folder const folder;
  CHECK(planetoid_names(folder.path()).empty());
  CHECK(planetoid_names(folder.path() / "none").empty());
  CHECK(testing::message_of<io_error>([&] { read_planetoid(folder.path()); }) ==
        folder.path().string() + ": has no file ind.NAME.graph");
  write_planetoid(folder, {});
  write_planetoid(folder, {}, "other");
  CHECK(planetoid_names(folder.path()) == std::vector<std::string>{"other", "tiny"});
  CHECK(read_planetoid(folder.path(), "other").num_classes == 2);
  CHECK(testing::message_of<io_error>([&] { read_planetoid(folder.path()); }) ==
        folder.path().string() + ": has several networks (other, tiny): name one, or give it a folder of its own");
}

/// What is said of a network in which `file` has these bytes, after the folder.
std::string refusal(std::string const& file, std::string const& bytes) {
  testing::temporary_folder const folder;
  write_planetoid(folder, {});
  folder.write("ind.tiny." + file, bytes);
  auto const message = testing::message_of<io_error>([&] { read_planetoid(folder.path(), "tiny"); });
  auto const prefix = folder.path().string() + "/ind.tiny.";
  return message.substr(0, prefix.size()) == prefix ? message.substr(prefix.size()) : message;
}

TEST_CASE("what does not fit together is refused by file") {
  pickle_writer const w;
  auto const wide = w.whole(w.matrix(2, 4, {0, 0, 0}, {}, {}));
  auto const short_one = w.whole(w.matrix(1, 3, {0, 0}, {}, {}));
  CHECK(refusal("y", planetoid_labels(w, {1, 0})).find("has 1 rows, x has 2") != std::string::npos);
  CHECK(refusal("y", planetoid_labels(w, {1, 0, 1, 0})) == "y: must be the first 2 rows of ally");
  CHECK(refusal("y", w.whole(w.array(w.type("i4"), w.tuple({w.integer(2)}), testing::bytes_of({1, 0}))))
            .find("must have the shape [V, classes]") != std::string::npos);
  CHECK(refusal("y", w.whole(w.array(w.type("i4"), w.tuple({w.integer(2), w.integer(0)}), "")))
            .find("must have the shape [V, classes]") != std::string::npos);
  CHECK(refusal("ty", w.whole(w.array(w.type("i4"), w.tuple({w.integer(2), w.integer(1)}),
                                      testing::bytes_of({1, 0})))) == "ty: has 1 classes, ally has 2");
  CHECK(refusal("x", wide) == "x: has 4 columns, allx has 3");
  CHECK(refusal("tx", wide) == "tx: has 4 columns, allx has 3");
  CHECK(refusal("tx", short_one).find("ty: byte ") == 0);
  CHECK(refusal("test.index", "5\n") == "test.index: has 1 vertices, tx has 2 rows");
  CHECK(refusal("test.index", "5\n6\n") == "test.index:2: vertex 6 must be in [3, 6), after the rows of allx");
  CHECK(refusal("test.index", "2\n5\n") == "test.index:1: vertex 2 must be in [3, 6), after the rows of allx");
  CHECK(refusal("test.index", "5\n5\n") == "test.index:2: vertex 5 is there twice");
  CHECK(refusal("test.index", "5 3\n") == "test.index:1: has 2 fields, must have 1");
  CHECK(refusal("test.index", "five\n") == "test.index:1: a vertex is \"five\", must be a 64-bit integer");
  auto const graph = [&](std::string const& items) { return refusal("graph", w.whole("}(" + items + "u")); };
  CHECK(graph(w.integer(0) + w.list({1})) == "graph: byte 11: a neighbor is 1, but the graph has 1 vertices");
  CHECK(graph(w.integer(1) + w.list({0})) == "graph: byte 4: a vertex is 1, but the graph has 1 vertices");
  CHECK(graph(w.integer(0) + w.list({-1})) == "graph: byte 11: a neighbor is -1, but the graph has 1 vertices");
  CHECK(graph(w.integer(0) + w.list({}) + w.integer(0) + w.list({})) == "graph: byte 12: vertex 0 is there twice");
  CHECK(graph(w.integer(0) + "N") == "graph: byte 9: the neighbors is None, must be a list");
  CHECK(graph(w.integer(0) + w.list({})) == "allx: has 3 rows, the graph has 1 vertices");
  CHECK(refusal("graph", w.whole(w.list({}))) == "graph: byte 2: must be a dict or a defaultdict, is a list");
}

TEST_CASE("a list that many vertices share is no large graph") {
  pickle_writer const w;
  constexpr int num_vertices = 1500;
  std::string list = "](", items;
  for (int v = 0; v < num_vertices; ++v) list += w.integer(v);
  list += "eq\1";
  for (int v = 0; v < num_vertices; ++v) items += w.integer(v) + (v == 0 ? list : "h\1");
  auto const bytes = w.whole("}(" + items + "u");
  CHECK(bytes.size() < 20000);
  CHECK(refusal("graph", bytes)
            .find("the lists have more neighbors than the file has bytes, " + std::to_string(bytes.size()) +
                  ": many vertices share a list") != std::string::npos);
  // A few may share one.
  testing::temporary_folder const folder;
  write_planetoid(folder, w);
  folder.write("ind.tiny.graph",
               w.whole("}(" + w.integer(0) + w.list({1, 3}) + "q\1" + w.integer(1) + "h\1" + w.integer(2) + "h\1" +
                       w.integer(3) + w.list({}) + w.integer(4) + w.list({}) + w.integer(5) + w.list({}) + "u"));
  CHECK(read_planetoid(folder.path()).edges.num_edges() == 10);
}

TEST_CASE("a foreign global, a file cut off, a file that is not there") {
  CHECK(refusal("allx", "cos\nsystem\n(S'true'\ntR.") ==
        "allx: byte 0: opcode 0x63 ('c'): global \"os system\" is not one that such a file needs; nothing of it was "
        "run");
  testing::temporary_folder const folder;
  write_planetoid(folder, {});
  for (auto const* file : {"x", "allx", "ty", "graph"}) {
    std::ifstream stream(folder.file(std::string("ind.tiny.") + file), std::ios::binary);
    std::string const whole{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    for (auto const size : {whole.size() - 1, whole.size() / 2, std::size_t{0}}) {
      CHECK(refusal(file, whole.substr(0, size)).find(": cut off: ") != std::string::npos);
    }
  }
  std::filesystem::remove(folder.file("ind.tiny.test.index"));
  std::filesystem::create_directory(folder.file("ind.tiny.test.index"));
  CHECK(testing::message_of<io_error>([&] { read_planetoid(folder.path()); }) ==
        folder.file("ind.tiny.test.index") + ": is a folder, must be a file");
  std::filesystem::remove(folder.file("ind.tiny.ty"));
  CHECK(testing::message_of<io_error>([&] { read_planetoid(folder.path()); }) ==
        folder.file("ind.tiny.ty") + ": cannot be opened");
  std::filesystem::create_directory(folder.file("ind.tiny.ty"));
  CHECK(testing::message_of<io_error>([&] { read_planetoid(folder.path()); }) ==
        folder.file("ind.tiny.ty") + ": is a folder, must be a file");
}

TEST_CASE("Cora and Citeseer, where EDGEWISE_PLANETOID names the folder with ind.cora.* and ind.citeseer.*") {
  char const* const folder = std::getenv("EDGEWISE_PLANETOID");
  if (folder == nullptr) {
    std::cout << "skipped: EDGEWISE_PLANETOID names no folder with files such as ind.cora.graph\n";
    return;
  }
  auto const cora = read_planetoid(folder, "cora");
  CHECK(cora.edges.num_sources() == 2708);
  CHECK(cora.edges.num_edges() == 10556);
  CHECK(cora.num_classes == 7);
  CHECK(cora.train.size() == 140);
  auto const citeseer = read_planetoid(folder, "citeseer");
  CHECK(citeseer.edges.num_sources() == 3327);
  CHECK(citeseer.edges.num_edges() == 9104);
  CHECK(citeseer.num_classes == 6);
  CHECK(citeseer.train.size() == 120);

  char const* const data_folder = std::getenv("EDGEWISE_DATA");
  if (data_folder == nullptr) {
    std::cout << "skipped: EDGEWISE_DATA names no folder with cora/ and citeseer/ to compare with\n";
    return;
  }
  for (auto const& [raw, name] : {std::pair(&cora, "cora"), std::pair(&citeseer, "citeseer")}) {
    CAPTURE(name);
    auto const known = read_npy_folder(std::filesystem::path(data_folder) / name);
    CHECK(testing::edges_by_id(raw->edges.view()) == testing::edges_by_id(known.edges.view()));
    auto const& features = std::get<sparse_features>(raw->features);
    auto const& known_features = std::get<sparse_features>(known.features);
    CHECK(features.num_columns == known_features.num_columns);
    CHECK(listed(features.offsets) == listed(known_features.offsets));
    CHECK(listed(features.columns) == listed(known_features.columns));
    CHECK(listed(features.values) == listed(known_features.values));
    CHECK(raw->num_classes == known.num_classes);
    CHECK(listed(raw->labels) == listed(known.labels));
    CHECK(listed(raw->train) == listed(known.train));
    CHECK(listed(raw->validation) == listed(known.validation));
    CHECK(listed(raw->test) == listed(known.test));
  }
}

}  // namespace
}  // namespace edgewise
