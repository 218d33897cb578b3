#include <edgewise/io/npy_folder.hpp>

#include <cstdlib>
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
        "/edge_index.npy: coo: destinations[1] = 4, but the graph has 4 destinations");
  CHECK(refusal("edge_index.npy", npy_file("<i4", "3, 1", {0, 1, 2})) == "/edge_index.npy: must have the shape [2, E]");
  CHECK(refusal("labels.npy", npy_file("<i4", "3,", {0, 1, 0})) == "/labels.npy: has 3 elements, must have 4");
  CHECK(refusal("labels.npy", npy_file("<i4", "4,", {0, 1, -2, 0})).substr(0, 36) ==
        "/labels.npy: element 2 is -2, must b");
  CHECK(refusal("test_idx.npy", npy_file("<i4", "1,", {4})) == "/test_idx.npy: element 0 is 4, must be in [0, 4)");
  CHECK(refusal("train_idx.npy", npy_file("<i4", "1, 1", {0})) == "/train_idx.npy: has 2 axes, must have 1");
  CHECK(refusal("edge_type.npy", npy_file("<i4", "2,", {0, 0})) == "/edge_type.npy: has 2 elements, must have 3");
  CHECK(refusal("features_indptr.npy", npy_file<std::int64_t>("<i8", "5,", {0, 1, 0, 3, 3})) ==
        ": features: offsets[2] = 0 is less than offsets[1] = 1");
  CHECK(refusal("features_indices.npy", npy_file("<i4", "2,", {1, 0})) ==
        ": features: features_indices has 2 elements, must have the size of features_values = 3");
  CHECK(refusal("features_indices.npy", npy_file("<i4", "3,", {1, -1, 0})) ==
        ": features: features_indices[1] = -1, but the matrix has 2 columns");
  CHECK(refusal("meta.json", "{\"num_nodes\": 9}") == "/features_indptr.npy: has 4 rows, the graph has 9 vertices");
  CHECK(refusal("meta.json", "{\"num_features\": 1}") ==
        ": features: features_indices[0] = 1, but the matrix has 1 columns");
  CHECK(refusal("labels.npy", npy_file<std::int64_t>("<i8", "4,", {0, 0, 0, 0})) ==
        "/labels.npy: elements of type '<i8', must be '<i4'");
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
