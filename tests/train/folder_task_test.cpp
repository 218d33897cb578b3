#include "train/folder_task.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../io/planetoid_files.hpp"
#include "train/feature_matrix.cpp"
#include "train/folder_task.cpp"  // the trainer is a program, so there is no library to link

namespace edgewise::train {
namespace {

TEST_CASE("a folder of Planetoid's files is read as one") {
  testing::temporary_folder const folder;
  testing::write_planetoid(folder, {});
  auto const data = folder_task(folder.path().string());
  CHECK(data.num_vertices == 6);
  CHECK(data.features.num_columns() == 3);
  CHECK(data.num_classes == 2);
  CHECK(data.num_edge_types == 1);
  CHECK(data.edge_types == std::vector<std::int32_t>(static_cast<std::size_t>(data.by_destination.num_edges()), 0));
  auto const features = data.features.entries.view();
  REQUIRE(features.offsets[4] - features.offsets[3] == 2);  // (0, 1/2, 1/2)
  for (int k : {0, 1}) {
    CHECK(features.neighbors[features.offsets[3] + k] == 1 + k);
    CHECK(data.features.values[static_cast<std::size_t>(features.offsets[3] + k)] == 0.5f);
  }
  CHECK(data.train_rows == std::vector<std::int32_t>{0, 1});
  CHECK(data.test_rows == std::vector<std::int32_t>{3, 5});
}

TEST_CASE("a folder with arrays is read as one, whatever else it has") {
  testing::temporary_folder const folder;
  testing::write_planetoid(folder, {});
  folder.write("edge_index.npy", testing::npy_file("<i4", "2, 1", {0, 1}));
  CHECK(testing::message_of<invalid_argument>([&] { folder_task(folder.path().string()); }) ==
        "--data " + folder.path().string() + ": the folder has no labels (labels.npy, labels_multi.npy or ally) to train with");
}

TEST_CASE("prediction needs neither labels nor rows") {
  testing::temporary_folder const folder;
  auto const path = folder.path().string();
  folder.write("edge_index.npy", testing::npy_file("<i4", "2, 1", {0, 1}));
  folder.write("features.npy", testing::npy_file("<i4", "2, 3", {1, 1, 0, 2, 0, 2}));
  auto const data = folder_task(path, purpose::prediction);
  CHECK(data.features.num_columns() == 3);
  CHECK(data.features.values == std::vector<float>{0.5f, 0.5f, 0.5f, 0.5f});
  CHECK(data.labels.empty());
  CHECK(testing::message_of<invalid_argument>([&] { folder_task(path); }) ==
        "--data " + path + ": the folder has no labels (labels.npy, labels_multi.npy or ally) to train with");
}

TEST_CASE("labels_multi.npy is read where there is no labels.npy") {
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", testing::npy_file("<i4", "2, 1", {0, 1}));
  folder.write("features.npy", testing::npy_file("<i4", "2, 3", {1, 1, 0, 2, 0, 2}));
  folder.write("labels_multi.npy", testing::npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n",
                                                      std::string("\1\1\0\1", 4)));
  folder.write("train_idx.npy", testing::npy_file("<i4", "1,", {0}));
  folder.write("test_idx.npy", testing::npy_file("<i4", "1,", {1}));
  auto const sets = folder_task(folder.path().string());
  CHECK(sets.has_label_sets());
  CHECK(sets.num_classes == 2);
  CHECK(sets.label_sets == std::vector<std::uint8_t>{1, 1, 0, 1});
  folder.write("labels.npy", testing::npy_file("<i4", "2,", {1, 0}));
  auto const classes = folder_task(folder.path().string());
  CHECK(!classes.has_label_sets());
  CHECK(classes.labels == std::vector<std::int32_t>{1, 0});
}

TEST_CASE("a folder with types of edges, and without features") {
  testing::temporary_folder const folder;
  folder.write("edge_index.npy", testing::npy_file("<i4", "2, 3", {0, 1, 2, 1, 2, 0}));
  folder.write("edge_type.npy", testing::npy_file("<i4", "3,", {1, 4, 0}));
  folder.write("labels.npy", testing::npy_file("<i4", "3,", {0, 1, -1}));
  folder.write("train_idx.npy", testing::npy_file("<i4", "1,", {0}));
  folder.write("test_idx.npy", testing::npy_file("<i4", "1,", {1}));
  auto const data = folder_task(folder.path().string());
  CHECK(data.features.num_columns() == 3);  // identities
  CHECK(data.features.values == std::vector<float>{1, 1, 1});
  CHECK(data.num_edge_types == 5);
  CHECK(data.edge_types == std::vector<std::int32_t>{1, 4, 0});
  CHECK(data.labels == std::vector<std::int32_t>{0, 1, -1});
}

TEST_CASE("a folder with neither is one without arrays") {
  testing::temporary_folder const folder;
  CHECK(testing::message_of<io_error>([&] { folder_task(folder.path().string()); }) ==
        folder.file("edge_index.npy") + ": cannot be opened");
}

}  // namespace
}  // namespace edgewise::train
