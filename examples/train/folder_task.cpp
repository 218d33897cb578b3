#include "train/folder_task.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <variant>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/io/npy_folder.hpp>
#include <edgewise/io/planetoid.hpp>

namespace edgewise::train {
namespace {

void require(bool present, std::string const& path, char const* what, purpose use) {
  if (present) return;
  throw invalid_argument(edgewise::detail::text("--data ", path, ": the folder has no ", what,
                                                use == purpose::training ? " to train with" : " to predict with"));
}

/// By the reader of the files that the folder has; arrays win, and a folder with neither is one without arrays.
dataset read_folder(std::filesystem::path const& folder) {
  std::error_code unknown;  // then the reader says what is wrong
  bool const has_arrays = std::filesystem::exists(folder / "edge_index.npy", unknown);
  return has_arrays || planetoid_names(folder).empty() ? read_npy_folder(folder) : read_planetoid(folder);
}

feature_matrix features_of(dataset const& files) {
  if (auto const* const sparse = std::get_if<sparse_features>(&files.features)) return feature_matrix_of(*sparse);
  if (auto const* const dense = std::get_if<dense_features>(&files.features)) return feature_matrix_of(*dense);
  return identity_features(files.edges.num_sources());
}

}  // namespace

task folder_task(std::string const& path, purpose use) {
  dataset files = read_folder(path);
  normalize_features(files);
  bool const has_types = !files.edge_types.empty();
  if (use == purpose::training) {
    require(!files.labels.empty() || !files.multi_labels.empty(), path, "labels (labels.npy, labels_multi.npy or ally)",
            use);
    require(!files.train.empty(), path, "training rows (train_idx.npy or y)", use);
    require(!files.test.empty(), path, "test rows (test_idx.npy or test.index)", use);
  }

  task data;
  std::filesystem::path const folder = std::filesystem::path(path).lexically_normal();
  data.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  data.by_destination = to_csr(cpu{}, files.edges);
  data.by_source = to_csc(cpu{}, files.edges);
  data.num_vertices = files.edges.num_sources();
  data.num_classes = files.num_classes;
  data.features = features_of(files);
  data.edge_types.assign(static_cast<std::size_t>(files.edges.num_edges()), 0);
  if (has_types) {
    std::copy(files.edge_types.begin(), files.edge_types.end(), data.edge_types.begin());
    data.num_edge_types = std::int64_t{*std::max_element(data.edge_types.begin(), data.edge_types.end())} + 1;
  }
  data.labels.assign(files.labels.begin(), files.labels.end());
  if (data.labels.empty()) data.label_sets.assign(files.multi_labels.begin(), files.multi_labels.end());
  data.train_rows.assign(files.train.begin(), files.train.end());
  data.validation_rows.assign(files.validation.begin(), files.validation.end());
  data.test_rows.assign(files.test.begin(), files.test.end());
  return data;
}

}  // namespace edgewise::train
