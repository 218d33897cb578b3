// A folder of .npy files that hold one vertex classification task.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/io/dataset.hpp>
#include <edgewise/io/input_file.hpp>
#include <edgewise/io/json_counts.hpp>
#include <edgewise/io/npy.hpp>

namespace edgewise::inline v0 {

namespace detail {

[[noreturn]] inline void fail_npy(std::filesystem::path const& path, std::string const& reason) {
  throw io_error(text(path.string(), ": ", reason));
}

/// A count, and what says so, for messages: a field of meta.json or an array. Nothing where nothing says it yet.
struct known_count {
  std::optional<std::int64_t> value;
  std::string source;

  /// Takes the count that `path` shows, which must be the one that is known.
  void agree(std::filesystem::path const& path, std::int64_t count, char const* what) {
    if (!value) {
      *this = {count, path.filename().string()};
    } else if (count != *value) {
      fail_npy(path, text("has ", count, " ", what, ", must have ", *value, " as ", source, " says"));
    }
  }
};

/// The counts of meta.json, all of which may be missing.
struct folder_counts {
  known_count num_vertices, num_edges, num_features, num_classes, num_relations;
  known_count num_labelled, num_train, num_validation, num_test;
};

inline folder_counts read_folder_counts(std::filesystem::path const& folder) {
  auto const path = folder / "meta.json";
  if (!is_there(path)) return {};
  constexpr std::array<std::string_view, 9> keys = {"num_nodes",   "num_edges",     "num_features",
                                                    "num_classes", "num_relations", "num_labelled",
                                                    "num_train",   "num_val",       "num_test"};
  auto const json = input_file(path).read_rest();
  json_object const object(path.string(), json, keys);
  auto const count = [&](std::size_t key) {
    return known_count{object.count(keys[key]), text(keys[key], " of meta.json")};
  };
  return {count(0), count(1), count(2), count(3), count(4), count(5), count(6), count(7), count(8)};
}

/// An array that may be missing.
template <class T>
std::optional<npy_array<T>> read_optional_npy(std::filesystem::path const& path) {
  return is_there(path) ? std::optional(read_npy_as<T>(path)) : std::nullopt;
}

template <class T>
host_buffer<T> read_vector(std::filesystem::path const& path) {
  auto array = read_npy_as<T>(path);
  if (array.shape.size() != 1) fail_npy(path, text("has ", array.shape.size(), " axes, must have 1"));
  return std::move(array.values);
}

/// Checks that the values are in [first, last).
inline void require_values_in(std::filesystem::path const& path, host_buffer<std::int32_t> const& values,
                              std::int64_t first, std::int64_t last, std::string const& source = {}) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] < first || values[k] >= last) {
      fail_npy(path, text("element ", k, " is ", values[k], ", must be in [", first, ", ", last, ")",
                          source.empty() ? "" : " as ", source, source.empty() ? "" : " says"));
    }
  }
}

/// A list of vertices, of any length that meta.json does not contradict; empty where there is no file.
inline host_buffer<std::int32_t> read_vertices(std::filesystem::path const& path, known_count count,
                                               known_count const& num_vertices) {
  if (!is_there(path)) return {};
  auto vertices = read_vector<std::int32_t>(path);
  count.agree(path, static_cast<std::int64_t>(vertices.size()), "elements");
  require_values_in(path, vertices, 0, *num_vertices.value, num_vertices.source);
  return vertices;
}

/// A type for each vertex or edge; empty where there is no file.
inline host_buffer<std::int32_t> read_types(std::filesystem::path const& path, known_count count,
                                            known_count const& num_types) {
  if (!is_there(path)) return {};
  auto types = read_vector<std::int32_t>(path);
  count.agree(path, static_cast<std::int64_t>(types.size()), "elements");
  require_values_in(path, types, 0, num_types.value.value_or(std::numeric_limits<std::int32_t>::max()),
                    num_types.value ? num_types.source : "");
  return types;
}

inline sparse_features read_sparse_features(std::filesystem::path const& folder, known_count const& num_columns) {
  sparse_features features;
  auto const offsets_path = folder / "features_indptr.npy";
  features.offsets = read_vector<std::int64_t>(offsets_path);
  features.columns = read_vector<std::int32_t>(folder / "features_indices.npy");
  features.values = read_vector<float>(folder / "features_values.npy");
  if (features.offsets.empty()) fail_npy(offsets_path, "is empty, must have one element more than there are vertices");
  features.num_rows = static_cast<std::int64_t>(features.offsets.size()) - 1;
  auto const num_values = static_cast<std::int64_t>(features.values.size());
  std::int64_t largest = -1;
  for (auto const column : features.columns) largest = std::max<std::int64_t>(largest, column);
  features.num_columns = num_columns.value ? *num_columns.value : largest + 1;
  try {
    require_size("features", "features_indices", features.columns.size(), "the size of features_values",
                 features.values.size());
    validate_offsets("features",
                     grouping_view<std::int32_t, std::int64_t>{
                         features.offsets.data(), nullptr, nullptr,
                         checked_count<std::int32_t>("features", "num_rows", features.num_rows), 0, num_values});
    require_in_range("features", "features_indices", features.columns.data(), num_values, features.num_columns,
                     num_columns.value ? "columns (num_features of meta.json)" : "columns", "the matrix");
  } catch (invalid_argument const& refusal) {
    throw io_error(text(folder.string(), ": ", refusal.what()));
  }
  return features;
}

/// The features of either kind, if there are any.
inline void read_features(dataset& data, std::filesystem::path const& folder, folder_counts& counts) {
  auto const dense_path = folder / "features.npy";
  bool is_sparse = false;
  for (auto const* name : {"features_indptr.npy", "features_indices.npy", "features_values.npy"}) {
    is_sparse = is_sparse || is_there(folder / name);
  }
  if (is_sparse) {
    auto sparse = read_sparse_features(folder, counts.num_features);
    counts.num_vertices.agree(folder / "features_indptr.npy", sparse.num_rows, "rows");
    data.features = std::move(sparse);
  } else if (auto dense = read_optional_npy<float>(dense_path)) {
    if (dense->shape.size() != 2) fail_npy(dense_path, text("has ", dense->shape.size(), " axes, must have 2"));
    counts.num_vertices.agree(dense_path, dense->shape[0], "rows");
    counts.num_features.agree(dense_path, dense->shape[1], "columns");
    data.features = dense_features{dense->shape[0], dense->shape[1], std::move(dense->values)};
  }
}

/// Labels of one class, of several, or of both, and the number of classes.
inline void read_labels(dataset& data, std::filesystem::path const& folder, folder_counts& counts) {
  constexpr std::int64_t most_classes = std::numeric_limits<std::int32_t>::max();
  auto& num_classes = counts.num_classes;
  auto const multi_path = folder / "labels_multi.npy";
  if (auto multi = read_optional_npy<std::uint8_t>(multi_path)) {
    if (multi->shape.size() != 2) fail_npy(multi_path, "must have the shape [V, classes]");
    counts.num_vertices.agree(multi_path, multi->shape[0], "rows");
    if (multi->shape[1] > most_classes)
      fail_npy(multi_path, text("has ", multi->shape[1], " columns, must have at most ", most_classes));
    num_classes.agree(multi_path, multi->shape[1], "columns");
    for (std::size_t k = 0; k < multi->values.size(); ++k) {
      if (multi->values[k] > 1)
        fail_npy(multi_path, text("element ", k, " is ", int{multi->values[k]}, ", must be 0 or 1"));
    }
    data.multi_labels = std::move(multi->values);
  }
  auto const path = folder / "labels.npy";
  if (is_there(path)) {
    data.labels = read_vector<std::int32_t>(path);
    counts.num_vertices.agree(path, static_cast<std::int64_t>(data.labels.size()), "elements");
    require_values_in(path, data.labels, -1, num_classes.value.value_or(most_classes),
                      num_classes.value ? num_classes.source : "");
    std::int64_t num_labelled = 0, largest = -1;
    for (auto const label : data.labels) {
      num_labelled += label >= 0;
      largest = std::max<std::int64_t>(largest, label);
    }
    counts.num_labelled.agree(path, num_labelled, "labels");
    if (!num_classes.value) num_classes = {largest + 1, "labels.npy"};
  }
  data.num_classes = static_cast<std::int32_t>(num_classes.value.value_or(0));
}

/// Both rows of edge_index as a coo, with one vertex more than the largest endpoint where nothing says how many.
inline coo<> read_edge_index(std::filesystem::path const& folder, folder_counts& counts) {
  auto const path = folder / "edge_index.npy";
  auto const index = read_npy_as<std::int32_t>(path);
  if (index.shape.size() != 2 || index.shape[0] != 2) fail_npy(path, "must have the shape [2, E]");
  counts.num_edges.agree(path, index.shape[1], "edges");
  auto const num_edges = static_cast<std::size_t>(index.shape[1]);
  std::span<std::int32_t const> const endpoints(index.values.data(), index.values.size());
  auto& num_vertices = counts.num_vertices;
  bool const is_said = num_vertices.value.has_value();
  if (!is_said) {
    auto const largest = std::max_element(endpoints.begin(), endpoints.end());
    num_vertices = {endpoints.empty() ? 0 : std::int64_t{*largest} + 1, "edge_index.npy"};
  }
  try {
    coo<> edges(vertices(*num_vertices.value), copy_of(endpoints.first(num_edges)), copy_of(endpoints.last(num_edges)));
    validate(edges);
    return edges;
  } catch (invalid_argument const& refusal) {
    fail_npy(path, is_said ? text(refusal.what(), ", as ", num_vertices.source, " says") : refusal.what());
  }
}

}  // namespace detail

/// The task in a folder of .npy files; all but edge_index may be missing:
/// edge_index [2, E] (sources, destinations); features_indptr [V + 1], features_indices and features_values, or
/// features [V, F]; labels [V], -1 where there is none; labels_multi [V, classes], 0 or 1; train_idx, val_idx,
/// test_idx; edge_type [E], node_type [V]. Elements are of any type that `read_npy_as` makes an int32, of
/// features_indptr an int64, of features and features_values a float (not finite ones are kept), of labels_multi a
/// uint8. meta.json, if there is one, is a JSON object whose counts must be those of the arrays: num_nodes, num_edges,
/// num_features, num_classes (of labels: more than the largest; of labels_multi: the columns), num_relations (more than
/// the largest edge_type), num_labelled, num_train, num_val and num_test. Of V, F and the number of classes it says
/// what arrays may not show: vertices without edges, columns without entries, classes without vertices. Other keys are
/// not looked at. Everything is checked: throws `io_error` naming the file and the field or the first bad index, and
/// returns nothing.
inline dataset read_npy_folder(std::filesystem::path const& folder) {
  auto counts = detail::read_folder_counts(folder);
  dataset data;
  detail::read_features(data, folder, counts);
  detail::read_labels(data, folder, counts);
  data.edges = detail::read_edge_index(folder, counts);
  data.train = detail::read_vertices(folder / "train_idx.npy", counts.num_train, counts.num_vertices);
  data.validation = detail::read_vertices(folder / "val_idx.npy", counts.num_validation, counts.num_vertices);
  data.test = detail::read_vertices(folder / "test_idx.npy", counts.num_test, counts.num_vertices);
  detail::known_count const num_edges{data.edges.num_edges(), "edge_index.npy"};
  data.edge_types = detail::read_types(folder / "edge_type.npy", num_edges, counts.num_relations);
  data.node_types = detail::read_types(folder / "node_type.npy", counts.num_vertices, {});
  return data;
}

}  // namespace edgewise::inline v0
