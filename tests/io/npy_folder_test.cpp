#include <edgewise/io/npy_folder.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <iostream>
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
using testing::npy_file;

/// 4 vertices, the last of which is isolated; 3 edges, 2 sparse features, 2 classes.
void write_task(testing::temporary_folder const& folder) {
  folder.write("edge_index.npy", npy_file("<i4", "2, 3", {0, 1, 2, 1, 2, 1}));
  folder.write("features_indptr.npy", npy_file<std::int64_t>("<i8", "5,", {0, 1, 1, 3, 3}));
  folder.write("features_indices.npy", npy_file("<i4", "3,", {1, 0, 1}));
  folder.write("features_values.npy", npy_file<float>("<f4", "3,", {2, 1, 3}));
  folder.write("labels.npy", npy_file("<i4", "4,", {0, 1, -1, 0}));
  folder.write("train_idx.npy", npy_file("<i4", "2,", {0, 1}));
  folder.write("val_idx.npy", npy_file("<i4", "0,", std::initializer_list<int>{}));
  folder.write("test_idx.npy", npy_file("<i4", "1,", {3}));
}

TEST_CASE("a folder becomes a dataset") {
  testing::temporary_folder const folder;
  write_task(folder);
  auto data = read_npy_folder(folder.path());
  CHECK(data.edges.num_sources() == 4);
  CHECK(testing::edges_by_id(data.edges.view()) == std::vector<edge>{{0, 1, 0}, {1, 2, 1}, {2, 1, 2}});
  CHECK(data.num_classes == 2);
  CHECK(data.labels[2] == -1);
  CHECK(data.train.size() == 2);
  CHECK(data.validation.empty());
  CHECK(data.test[0] == 3);
  normalize_features(data);
  auto const features = dense_features_of(data);
  CHECK(features.num_columns == 2);
  CHECK(std::vector<float>(features.values.begin(), features.values.end()) ==
        std::vector<float>{0, 1, 0, 0, 0.25f, 0.75f, 0, 0});
}

TEST_CASE("meta.json says what arrays cannot") {
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", npy_file("<i4", "2, 1", {0, 1}));
  CHECK(read_npy_folder(folder.path()).edges.num_sources() == 2);
  CHECK(std::holds_alternative<std::monostate>(read_npy_folder(folder.path()).features));
  CHECK(dense_features_of(read_npy_folder(folder.path())).num_columns == 0);
  folder.write("meta.json",
               "{\n \"name\": \"tiny\",\n \"num_nodes\": 7, \"num_features\" : 5,\n \"num_classes\": 3\n}");
  CHECK(read_npy_folder(folder.path()).edges.num_sources() == 7);
  CHECK(read_npy_folder(folder.path()).num_classes == 3);
}

TEST_CASE("dense features, edge and vertex types, several labels a vertex") {
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", npy_file("<i4", "2, 2", {0, 1, 1, 0}));
  folder.write("features.npy", npy_file<float>("<f4", "2, 3", {1, 2, 3, 4, 5, 6}));
  folder.write("edge_type.npy", npy_file("<i4", "2,", {5, 0}));
  folder.write("node_type.npy", npy_file("<i4", "2,", {0, 1}));
  folder.write("labels_multi.npy", npy_file<std::uint8_t>("|u1", "2, 4", {0, 1, 0, 1, 1, 1, 0, 0}));
  auto const data = read_npy_folder(folder.path());
  CHECK(std::get<dense_features>(data.features).values[5] == 6);
  CHECK(dense_features_of(data).values[4] == 5);
  CHECK(data.edge_types[0] == 5);
  CHECK(data.node_types[1] == 1);
  CHECK(data.num_classes == 4);
  CHECK(data.multi_labels[3] == 1);
}

TEST_CASE("what does not fit together is refused by file and index") {
  auto const refusal = [](std::string const& file, std::string const& bytes) {
    testing::temporary_folder const folder;
    write_task(folder);
    folder.write(file, bytes);
    auto const message = testing::message_of<io_error>([&] { read_npy_folder(folder.path()); });
    auto const prefix = folder.path().string();
    return message.substr(0, prefix.size()) == prefix ? message.substr(prefix.size()) : message;
  };
  CHECK(refusal("edge_index.npy", npy_file("<i4", "2, 2", {0, 1, 2, 4})) ==
        "/edge_index.npy: coo: destinations[1] = 4, but the graph has 4 destinations, as features_indptr.npy says");
  CHECK(refusal("edge_index.npy", npy_file("<i4", "3, 1", {0, 1, 2})) == "/edge_index.npy: must have the shape [2, E]");
  CHECK(refusal("labels.npy", npy_file("<i4", "3,", {0, 1, 0})) ==
        "/labels.npy: has 3 elements, must have 4 as features_indptr.npy says");
  CHECK(refusal("labels.npy", npy_file("<i4", "4,", {0, 1, -2, 0})).substr(0, 36) ==
        "/labels.npy: element 2 is -2, must b");
  CHECK(refusal("test_idx.npy", npy_file("<i4", "1,", {4})) ==
        "/test_idx.npy: element 0 is 4, must be in [0, 4) as features_indptr.npy says");
  CHECK(refusal("train_idx.npy", npy_file("<i4", "1, 1", {0})) == "/train_idx.npy: has 2 axes, must have 1");
  CHECK(refusal("edge_type.npy", npy_file("<i4", "2,", {0, 0})) ==
        "/edge_type.npy: has 2 elements, must have 3 as edge_index.npy says");
  CHECK(refusal("features_indptr.npy", npy_file<std::int64_t>("<i8", "5,", {0, 1, 0, 3, 3})) ==
        ": features: offsets[2] = 0 is less than offsets[1] = 1");
  CHECK(refusal("features_indices.npy", npy_file("<i4", "2,", {1, 0})) ==
        ": features: features_indices has 2 elements, must have the size of features_values = 3");
  CHECK(refusal("features_indices.npy", npy_file("<i4", "3,", {1, -1, 0})) ==
        ": features: features_indices[1] = -1, but the matrix has 2 columns");
  CHECK(refusal("meta.json", "{\"num_nodes\": 9}") ==
        "/features_indptr.npy: has 4 rows, must have 9 as num_nodes of meta.json says");
  CHECK(refusal("meta.json", "{\"num_features\": 1}") ==
        ": features: features_indices[0] = 1, but the matrix has 1 columns (num_features of meta.json)");
  CHECK(refusal("labels.npy", npy_file<float>("<f4", "4,", {0, 0, 0, 0})) ==
        "/labels.npy: elements of type '<f4', must be integers or bools");
  CHECK(refusal("labels.npy", npy_file<std::int64_t>("<i8", "4,", {0, 0, 3000000000, 0})) ==
        "/labels.npy: element 2 is 3000000000, which '<i4' cannot hold");
  CHECK(refusal("labels.npy", npy_file("<i4", "4,", {0, 0, 2147483647, 0})) ==
        "/labels.npy: element 2 is 2147483647, must be in [-1, 2147483647)");
  CHECK(refusal("features_indices.npy", npy_file("<i4", "3, 1", {0, 1, 0})) ==
        "/features_indices.npy: has 2 axes, must have 1");
}

/// Three vertices in a circle, and what else a test writes; what is said of it, after the folder.
class circle {
public:
  circle() { write("edge_index.npy", npy_file("<i4", "2, 3", {0, 1, 2, 1, 2, 0})); }
  circle& write(std::string const& file, std::string const& bytes) {
    folder_.write(file, bytes);
    return *this;
  }
  circle& make_folder(std::string const& name) {
    std::filesystem::create_directory(folder_.path() / name);
    return *this;
  }
  dataset read() const { return read_npy_folder(folder_.path()); }
  std::string refusal() const {
    auto const message = testing::message_of<io_error>([&] { read(); });
    auto const prefix = folder_.path().string();
    return message.substr(0, prefix.size()) == prefix ? message.substr(prefix.size()) : message;
  }

private:
  testing::temporary_folder folder_;
};

/// What is said of a circle with this meta.json.
std::string refusal_of_meta(std::string const& json) { return circle().write("meta.json", json).refusal(); }

TEST_CASE("counts of meta.json are integers that fit") {
  std::string const range = ", must be an integer in [0, 2147483647]";
  CHECK(circle().write("meta.json", "{\"num_nodes\": 3e1}").read().edges.num_sources() == 30);
  CHECK(circle().write("meta.json", "{\"raw\": {\"num_nodes\": 9}, \"num_nodes\": 6}").read().edges.num_sources() == 6);
  CHECK(circle().write("meta.json", "\xef\xbb\xbf{\"num_nodes\": 6}").read().edges.num_sources() == 6);
  CHECK(refusal_of_meta("{\"num_classes\": 4294967297}") == "/meta.json:1: num_classes is 4294967297" + range);
  CHECK(refusal_of_meta("{\"num_classes\": 1099511627779}") == "/meta.json:1: num_classes is 1099511627779" + range);
  CHECK(refusal_of_meta("{\"num_classes\": -3}") == "/meta.json:1: num_classes is -3" + range);
  CHECK(refusal_of_meta("{\"num_nodes\": \"6\"}") == "/meta.json:1: num_nodes is \"6\"" + range);
  CHECK(refusal_of_meta("{\"num_nodes\": 99999999999999999999}") ==
        "/meta.json:1: num_nodes is 99999999999999999999" + range);
  CHECK(refusal_of_meta("{\"num_nodes\": 3.5}") == "/meta.json:1: num_nodes is 3.5" + range);
  CHECK(refusal_of_meta("{\"num_features\": 4611686018427387904}") ==
        "/meta.json:1: num_features is 4611686018427387904" + range);
  CHECK(refusal_of_meta("{\"num_features\": 2e9}") == "no error");  // columns without entries
  CHECK(refusal_of_meta("{\"num_edges\": null}") == "/meta.json:1: num_edges is null" + range);
  CHECK(refusal_of_meta("{\"num_nodes\": 3, \"num_nodes\": 3}") == "/meta.json:1: num_nodes is there twice");
  CHECK(refusal_of_meta("{\"num_nodes\": 3") == "/meta.json:1: a comma or } must follow a value of a JSON object");
  CHECK(refusal_of_meta("") == "/meta.json:1: must be one JSON object");
}

TEST_CASE("counts of meta.json are those of the arrays") {
  auto const of_arrays = [](std::string const& json) {
    return circle()
        .write("meta.json", json)
        .write("features.npy", npy_file<float>("<f4", "3, 2", {0, 0, 0, 0, 0, 0}))
        .write("labels.npy", npy_file("<i4", "3,", {0, 4, -1}))
        .write("edge_type.npy", npy_file("<i4", "3,", {0, 2, 1}))
        .write("train_idx.npy", npy_file("<i4", "2,", {0, 1}))
        .refusal();
  };
  CHECK(of_arrays("{\"num_nodes\": 3, \"num_edges\": 3, \"num_features\": 2, \"num_classes\": 5, \"num_relations\": 3, "
                  "\"num_labelled\": 2, \"num_train\": 2, \"num_val\": 7}") == "no error");
  CHECK(of_arrays("{\"num_nodes\": 2}") == "/features.npy: has 3 rows, must have 2 as num_nodes of meta.json says");
  CHECK(of_arrays("{\"num_nodes\": 3, \"num_features\": 5}") ==
        "/features.npy: has 2 columns, must have 5 as num_features of meta.json says");
  CHECK(of_arrays("{\"num_classes\": 4}") ==
        "/labels.npy: element 1 is 4, must be in [-1, 4) as num_classes of meta.json says");
  CHECK(of_arrays("{\"num_labelled\": 3}") ==
        "/labels.npy: has 2 labels, must have 3 as num_labelled of meta.json says");
  CHECK(of_arrays("{\"num_edges\": 6}") == "/edge_index.npy: has 3 edges, must have 6 as num_edges of meta.json says");
  CHECK(of_arrays("{\"num_relations\": 2}") ==
        "/edge_type.npy: element 1 is 2, must be in [0, 2) as num_relations of meta.json says");
  CHECK(of_arrays("{\"num_train\": 3}") ==
        "/train_idx.npy: has 2 elements, must have 3 as num_train of meta.json says");
  CHECK(refusal_of_meta("{\"num_nodes\": 2}") ==
        "/edge_index.npy: coo: sources[2] = 2, but the graph has 2 sources, as num_nodes of meta.json says");
}

TEST_CASE("labels of one class and of several agree on the number of classes") {
  auto const ones = npy_file<std::uint8_t>("|u1", "3, 2", {1, 1, 1, 1, 1, 1});
  CHECK(circle().write("labels_multi.npy", ones).write("meta.json", "{\"num_classes\": 5}").refusal() ==
        "/labels_multi.npy: has 2 columns, must have 5 as num_classes of meta.json says");
  CHECK(circle().write("labels_multi.npy", ones).write("labels.npy", npy_file("<i4", "3,", {0, 1, 2})).refusal() ==
        "/labels.npy: element 2 is 2, must be in [-1, 2) as labels_multi.npy says");
  CHECK(circle()
            .write("labels_multi.npy", ones)
            .write("labels.npy", npy_file("<i4", "3,", {0, 1, 1}))
            .read()
            .num_classes == 2);
  CHECK(circle().write("labels_multi.npy", npy_file<std::uint8_t>("|u1", "3, 1", {0, 1, 2})).refusal() ==
        "/labels_multi.npy: element 2 is 2, must be 0 or 1");
  CHECK(circle().write("labels_multi.npy", npy_file<std::uint8_t>("|b1", "3, 1", {0, 1, 1})).read().multi_labels[1] ==
        1);
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", testing::npy_bytes("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 0)}", ""));
  folder.write("labels_multi.npy",
               testing::npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4611686018427387904)}", ""));
  CHECK(testing::message_of<io_error>([&] { read_npy_folder(folder.path()); }).find("must have at most 2147483647") !=
        std::string::npos);
}

TEST_CASE("an empty array is there") {
  auto const none = npy_file("<i4", "0,", std::initializer_list<int>{});
  CHECK(circle().write("labels.npy", none).write("meta.json", "{\"num_nodes\": 3}").refusal() ==
        "/labels.npy: has 0 elements, must have 3 as num_nodes of meta.json says");
  CHECK(circle().write("labels.npy", none).refusal() ==
        "/edge_index.npy: coo: sources[0] = 0, but the graph has 0 sources, as labels.npy says");
  CHECK(circle().write("edge_type.npy", none).refusal() ==
        "/edge_type.npy: has 0 elements, must have 3 as edge_index.npy says");
  CHECK(circle().write("node_type.npy", none).refusal() ==
        "/node_type.npy: has 0 elements, must have 3 as edge_index.npy says");
  CHECK(circle().write("test_idx.npy", none).read().test.empty());
}

TEST_CASE("arrays as other programs write them") {
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", testing::npy_bytes("{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3)}",
                                                    testing::bytes_of<std::int64_t>({0, 1, 1, 2, 2, 0}), 3));
  folder.write("features.npy", testing::npy_bytes("{'descr': '>f8', 'fortran_order': True, 'shape': (3, 1)}",
                                                  std::string("\x3f\xf8\0\0\0\0\0\0", 8) + std::string(16, '\0'), 2));
  folder.write("labels.npy", npy_file<std::int64_t>("<i8", "3,", {0, -1, 2}));
  auto const data = read_npy_folder(folder.path());
  CHECK(testing::edges_by_id(data.edges.view()) == std::vector<edge>{{0, 1, 0}, {1, 2, 1}, {2, 0, 2}});
  CHECK(dense_features_of(data).values[0] == 1.5f);
  CHECK(data.num_classes == 3);
  folder.write("features.npy", npy_file<std::uint8_t>("|b1", "3, 1", {0, 1, 1}));
  CHECK(dense_features_of(read_npy_folder(folder.path())).values[2] == 1.0f);
}

TEST_CASE("folders in place of files, and files that must not be missing") {
  for (std::string const name : {"meta.json", "labels.npy", "features.npy", "features_indptr.npy", "edge_type.npy",
                                 "labels_multi.npy", "train_idx.npy"}) {
    CHECK(circle().make_folder(name).refusal() == "/" + name + ": is a folder, must be a file");
  }
  CHECK(circle().write("features_values.npy", npy_file<float>("<f4", "1,", {1})).refusal() ==
        "/features_indptr.npy: cannot be opened");
  testing::temporary_folder const folder;
  CHECK(testing::message_of<io_error>([&] { read_npy_folder(folder.path()); }) ==
        folder.file("edge_index.npy") + ": cannot be opened");
  auto const file = folder.write("file", "");
  CHECK(testing::message_of<io_error>([&] { read_npy_folder(file); }) == file + "/edge_index.npy: cannot be opened");
  std::filesystem::create_symlink(folder.path() / "nothing", folder.path() / "meta.json");
  CHECK(testing::message_of<io_error>([&] { read_npy_folder(folder.path()); }) ==
        folder.file("meta.json") + ": cannot be opened");
}

TEST_CASE("sizes that the arrays of a folder do not have") {
  auto const sparse = [](std::string const& json) {
    return circle()
        .write("features_indptr.npy", npy_file<std::int64_t>("<i8", "4,", {0, 1, 1, 2}))
        .write("features_indices.npy", npy_file("<i4", "2,", {0, 1}))
        .write("features_values.npy", npy_file<float>("<f4", "2,", {1, 2}))
        .write("meta.json", json)
        .refusal();
  };
  CHECK(sparse("{\"num_features\": 7}") == "no error");
  CHECK(sparse("{\"num_features\": 4611686018427387904}") ==
        "/meta.json:1: num_features is 4611686018427387904, must be an integer in [0, 2147483647]");
  CHECK(sparse("{\"num_features\": 1}") ==
        ": features: features_indices[1] = 1, but the matrix has 1 columns (num_features of meta.json)");
}

TEST_CASE("Cora, where EDGEWISE_DATA names a folder with it") {
  char const* const data_folder = std::getenv("EDGEWISE_DATA");
  if (data_folder == nullptr || !std::filesystem::exists(std::filesystem::path(data_folder) / "cora")) {
    std::cout << "skipped: EDGEWISE_DATA names no folder with cora/ in it\n";
    return;
  }
  auto const data = read_npy_folder(std::filesystem::path(data_folder) / "cora");
  CHECK(data.edges.num_sources() == 2708);
  CHECK(data.edges.num_edges() == 10556);
  CHECK(data.num_classes == 7);
  CHECK(data.train.size() == 140);
  CHECK(data.validation.size() == 500);
  CHECK(data.test.size() == 1000);
  auto const& features = std::get<sparse_features>(data.features);
  CHECK(features.num_columns == 1433);
  CHECK(features.values.size() == 49216);
}

}  // namespace
}  // namespace edgewise
