// A folder of .npy files that hold one vertex classification task.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <edgewise/format/validate.hpp>
#include <edgewise/io/dataset.hpp>
#include <edgewise/io/npy.hpp>

namespace edgewise {

namespace detail {

/// A file that may be missing: then there is no array.
template <class T>
std::optional<npy_array<T>> read_optional_npy(std::filesystem::path const& path) {
  std::error_code unreadable;  // such a path is reported by whoever needs it
  if (!std::filesystem::exists(path, unreadable)) return std::nullopt;
  return read_npy<T>(path);
}

template <class T>
host_buffer<T> read_optional_vector(std::filesystem::path const& path) {
  auto array = read_optional_npy<T>(path);
  if (!array) return {};
  if (array->shape.size() != 1) fail_npy(path, text("has ", array->shape.size(), " axes, must have 1"));
  return std::move(array->values);
}

/// Reads [size] values in [first, last); an empty result means that there is no file.
inline host_buffer<std::int32_t> read_checked_vector(std::filesystem::path const& path,
                                                     std::optional<std::int64_t> size, std::int64_t first,
                                                     std::int64_t last) {
  auto values = read_optional_vector<std::int32_t>(path);
  if (values.empty()) return values;
  if (size && static_cast<std::int64_t>(values.size()) != *size) {
    fail_npy(path, text("has ", values.size(), " elements, must have ", *size));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] < first || values[k] >= last) {
      fail_npy(path, text("element ", k, " is ", values[k], ", must be in [", first, ", ", last, ")"));
    }
  }
  return values;
}

/// The integer that the object in meta.json has under `key`, which must be a key of its outermost level and no text in
/// it.
inline std::optional<std::int64_t> find_json_integer(std::string_view json, std::string const& key) {
  auto const at = json.find('"' + key + '"');
  if (at == json.npos) return std::nullopt;
  auto const value = json.find_first_not_of(" \t\r\n:", at + key.size() + 2);
  if (value == json.npos) return std::nullopt;
  std::int64_t number = 0;
  auto const status = std::from_chars(json.data() + value, json.data() + json.size(), number).ec;
  return status == std::errc() ? std::optional(number) : std::nullopt;
}

/// Sizes that cannot always be seen from the arrays: isolated vertices and empty columns at the end have no entry.
struct folder_sizes {
  std::optional<std::int64_t> num_vertices, num_features, num_classes;
};

inline folder_sizes read_folder_sizes(std::filesystem::path const& folder) {
  std::ifstream file(folder / "meta.json", std::ios::binary);
  if (!file) return {};
  std::string const json{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return {find_json_integer(json, "num_nodes"), find_json_integer(json, "num_features"),
          find_json_integer(json, "num_classes")};
}

inline std::optional<sparse_features> read_sparse_features(std::filesystem::path const& folder,
                                                           std::optional<std::int64_t> num_columns) {
  auto const offsets_path = folder / "features_indptr.npy";
  std::error_code unreadable;
  if (!std::filesystem::exists(offsets_path, unreadable)) return std::nullopt;
  sparse_features features;
  features.offsets = read_optional_vector<std::int64_t>(offsets_path);
  features.columns = std::move(read_npy<std::int32_t>(folder / "features_indices.npy").values);
  features.values = std::move(read_npy<float>(folder / "features_values.npy").values);
  if (features.offsets.empty()) fail_npy(offsets_path, "is empty, must have one element more than there are vertices");
  features.num_rows = static_cast<std::int64_t>(features.offsets.size()) - 1;
  auto const num_values = static_cast<std::int64_t>(features.values.size());
  std::int64_t largest = -1;
  for (auto const column : features.columns) largest = std::max<std::int64_t>(largest, column);
  features.num_columns = num_columns ? *num_columns : largest + 1;
  try {
    require_size("features", "features_indices", features.columns.size(), "the size of features_values",
                 features.values.size());
    validate_offsets("features",
                     grouping_view<std::int32_t, std::int64_t>{
                         features.offsets.data(), nullptr, nullptr,
                         checked_count<std::int32_t>("features", "num_rows", features.num_rows), 0, num_values});
    require_in_range("features", "features_indices", features.columns.data(), num_values, features.num_columns,
                     "columns", "the matrix");
  } catch (invalid_argument const& refusal) {
    throw io_error(text(folder.string(), ": ", refusal.what()));
  }
  return features;
}

inline std::optional<dense_features> read_dense_features(std::filesystem::path const& path) {
  auto array = read_optional_npy<float>(path);
  if (!array) return std::nullopt;
  if (array->shape.size() != 2) fail_npy(path, text("has ", array->shape.size(), " axes, must have 2"));
  return dense_features{array->shape[0], array->shape[1], std::move(array->values)};
}

/// Both rows of edge_index as a coo; `num_vertices` as given, or one more than the largest endpoint.
inline coo<> read_edge_index(std::filesystem::path const& path, std::optional<std::int64_t> num_vertices) {
  auto const index = read_npy<std::int32_t>(path);
  if (index.shape.size() != 2 || index.shape[0] != 2) fail_npy(path, "must have the shape [2, E]");
  auto const num_edges = static_cast<std::size_t>(index.shape[1]);
  std::span<std::int32_t const> const endpoints(index.values.data(), index.values.size());
  if (!num_vertices) {
    num_vertices = endpoints.empty() ? 0 : std::int64_t{*std::max_element(endpoints.begin(), endpoints.end())} + 1;
  }
  try {
    coo<> edges(vertices(*num_vertices), copy_of(endpoints.first(num_edges)), copy_of(endpoints.last(num_edges)));
    validate(edges);
    return edges;
  } catch (invalid_argument const& refusal) {
    throw io_error(text(path.string(), ": ", refusal.what()));
  }
}

}  // namespace detail

/// The task in a folder of .npy files; all but edge_index may be missing:
/// edge_index int32 [2, E] (sources, destinations); features_indptr int64 [V + 1], features_indices int32 and
/// features_values float32, or features float32 [V, F]; labels int32 [V]; labels_multi uint8 [V, classes]; train_idx,
/// val_idx, test_idx int32; edge_type int32 [E], node_type int32 [V].
/// V, F and the number of classes are num_nodes, num_features and num_classes of meta.json where it has them, otherwise
/// what the arrays show. Everything is checked: throws `io_error` naming the file and the first bad index, and returns
/// nothing.
inline dataset read_npy_folder(std::filesystem::path const& folder) {
  auto const sizes = detail::read_folder_sizes(folder);
  dataset data;
  auto num_vertices = sizes.num_vertices;
  auto const require_rows = [&](char const* file, std::int64_t rows) {
    if (!num_vertices) num_vertices = rows;
    if (rows != *num_vertices) {
      detail::fail_npy(folder / file, detail::text("has ", rows, " rows, the graph has ", *num_vertices, " vertices"));
    }
  };
  if (auto sparse = detail::read_sparse_features(folder, sizes.num_features)) {
    require_rows("features_indptr.npy", sparse->num_rows);
    data.features = std::move(*sparse);
  } else if (auto dense = detail::read_dense_features(folder / "features.npy")) {
    require_rows("features.npy", dense->num_rows);
    data.features = std::move(*dense);
  }

  constexpr std::int64_t no_limit = 0x7fffffff;  // the class count, one more, must fit 32 bits
  data.labels =
      detail::read_checked_vector(folder / "labels.npy", num_vertices, -1, sizes.num_classes.value_or(no_limit));
  if (!data.labels.empty()) {
    require_rows("labels.npy", static_cast<std::int64_t>(data.labels.size()));
    data.num_classes = *std::max_element(data.labels.begin(), data.labels.end()) + 1;
  }
  if (auto multi = detail::read_optional_npy<std::uint8_t>(folder / "labels_multi.npy")) {
    if (multi->shape.size() != 2) detail::fail_npy(folder / "labels_multi.npy", "must have the shape [V, classes]");
    require_rows("labels_multi.npy", multi->shape[0]);
    data.num_classes = static_cast<std::int32_t>(multi->shape[1]);
    data.multi_labels = std::move(multi->values);
  }
  if (sizes.num_classes) data.num_classes = static_cast<std::int32_t>(*sizes.num_classes);

  data.edges = detail::read_edge_index(folder / "edge_index.npy", num_vertices);
  std::int64_t const vertex_count = data.edges.num_sources();
  data.train = detail::read_checked_vector(folder / "train_idx.npy", std::nullopt, 0, vertex_count);
  data.validation = detail::read_checked_vector(folder / "val_idx.npy", std::nullopt, 0, vertex_count);
  data.test = detail::read_checked_vector(folder / "test_idx.npy", std::nullopt, 0, vertex_count);
  data.edge_types = detail::read_checked_vector(folder / "edge_type.npy", data.edges.num_edges(), 0, no_limit);
  data.node_types = detail::read_checked_vector(folder / "node_type.npy", vertex_count, 0, no_limit);
  return data;
}

}  // namespace edgewise
