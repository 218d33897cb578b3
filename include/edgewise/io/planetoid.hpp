// Citation networks as Planetoid has them: ind.NAME.x, tx, allx, y, ty, ally, graph and test.index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <edgewise/format/validate.hpp>
#include <edgewise/io/dataset.hpp>
#include <edgewise/io/pickle.hpp>
#include <edgewise/io/pickled_arrays.hpp>
#include <edgewise/io/text_file.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class T>
host_buffer<T> buffer_of(std::vector<T> const& values) {
  return copy_of(std::span<T const>(values));
}

/// Vertices of ind.NAME.x and y, of allx and ally, or of tx and ty. Shape: labels [features.num_rows].
struct planetoid_rows {
  sparse_features features;
  std::vector<std::int32_t> labels;
  std::int32_t num_classes = 0;
};

/// Reads `prefix`x and `prefix`y. A row of y is 1 at the vertex's class, or all 0, which counts as class 0.
inline planetoid_rows read_planetoid_rows(std::string const& prefix, char const* x, char const* y) {
  planetoid_rows rows;
  {
    pickle const file(prefix + x, array_globals);
    rows.features = read_csr_matrix(file, file.root());
  }
  pickle const file(prefix + y, array_globals);
  auto const array = read_array(file, file.root());
  if (array.shape.size() != 2 || array.shape[1] == 0) file.fail_at(array.at, "must have the shape [V, classes]");
  if (array.shape[0] != rows.features.num_rows) {
    file.fail_at(array.at, text("has ", array.shape[0], " rows, ", x, " has ", rows.features.num_rows));
  }
  auto const is_class = elements_of<double>(file, array);
  try {
    rows.num_classes = checked_count<std::int32_t>("labels", "classes", array.shape[1]);
  } catch (invalid_argument const& refusal) {
    file.fail_at(array.at, refusal.what());
  }
  for (auto row = is_class.begin(); row != is_class.end(); row += rows.num_classes) {
    rows.labels.push_back(static_cast<std::int32_t>(std::max_element(row, row + rows.num_classes) - row));
  }
  return rows;
}

/// A dictionary of every vertex's neighbors as edges in both directions, sorted by source, then by destination; without
/// repetitions and self loops, which the files have by accident.
inline coo<> read_planetoid_graph(std::string const& path) {
  pickle const file(path, array_globals);
  auto const& lists = file.root();
  if (lists.kind != pickle_kind::dictionary && !file.is_made_by(lists, "collections defaultdict")) {
    file.fail_at(lists.at, text("must be a dict or a defaultdict, is ", name_of(lists.kind)));
  }
  auto const num_vertices = static_cast<std::int64_t>(lists.items.size() / 2);
  auto const vertex = [&](pickle_id id, char const* what) {
    auto const number = read_integer(file, file[id], what);
    if (!in_range(number, num_vertices)) {
      file.fail_at(file[id].at, text(what, " is ", number, ", but the graph has ", num_vertices, " vertices"));
    }
    return static_cast<std::int32_t>(number);
  };
  std::vector<bool> is_listed(static_cast<std::size_t>(num_vertices));
  std::uint64_t num_neighbors = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> links;
  for (std::size_t k = 0; k < lists.items.size(); k += 2) {
    auto const v = vertex(lists.items[k], "a vertex");
    if (is_listed[static_cast<std::size_t>(v)]) {
      file.fail_at(file[lists.items[k]].at, text("vertex ", v, " is there twice"));
    }
    is_listed[static_cast<std::size_t>(v)] = true;
    auto const& neighbors = file.require(file[lists.items[k + 1]], pickle_kind::list, "the neighbors");
    num_neighbors += neighbors.items.size();
    if (num_neighbors > file.size_bytes()) {  // one list for many vertices makes a large graph of a small file
      file.fail_at(neighbors.at, text("the lists have more neighbors than the file has bytes, ", file.size_bytes(),
                                      ": many vertices share a list"));
    }
    for (auto const id : neighbors.items) {
      auto const neighbor = vertex(id, "a neighbor");
      if (neighbor == v) continue;
      links.emplace_back(v, neighbor);
      links.emplace_back(neighbor, v);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  std::vector<std::int32_t> sources, destinations;
  for (auto const& [source, destination] : links) {
    sources.push_back(source);
    destinations.push_back(destination);
  }
  try {
    return {vertices(num_vertices), buffer_of(sources), buffer_of(destinations)};
  } catch (invalid_argument const& refusal) {
    file.fail_at(lists.at, refusal.what());
  }
}

/// The vertices of tx in its order, each at most once and in [first, last).
inline std::vector<std::int32_t> read_test_index(std::string const& path, std::int64_t first, std::int64_t last) {
  text_file file(path);
  std::vector<std::int32_t> found;
  std::vector<bool> is_found(static_cast<std::size_t>(last - first));
  while (file.next_line_with_fields("")) {
    if (file.fields().size() != 1) file.fail(text("has ", file.fields().size(), " fields, must have 1"));
    auto const vertex = file.integer<std::int64_t>(0, "a vertex");
    if (vertex < first || vertex >= last) {
      file.fail(text("vertex ", vertex, " must be in [", first, ", ", last, "), after the rows of allx"));
    }
    if (is_found[static_cast<std::size_t>(vertex - first)]) file.fail(text("vertex ", vertex, " is there twice"));
    is_found[static_cast<std::size_t>(vertex - first)] = true;
    found.push_back(static_cast<std::int32_t>(vertex));
  }
  return found;
}

/// Gives vertices [0, V) their features and labels: first the rows of `all`, then those of `tests` where they belong.
inline void join_planetoid_rows(dataset& data, planetoid_rows const& all, planetoid_rows const& tests,
                                std::span<std::int32_t const> test_index) {
  std::int64_t const num_vertices = data.edges.num_sources();
  std::vector<std::int64_t> test_row(static_cast<std::size_t>(num_vertices - all.features.num_rows), -1);
  for (std::size_t row = 0; row < test_index.size(); ++row) {
    test_row[static_cast<std::size_t>(test_index[row] - all.features.num_rows)] = static_cast<std::int64_t>(row);
  }
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  auto const take = [&](planetoid_rows const& rows, std::int64_t row) {
    labels.push_back(rows.labels[static_cast<std::size_t>(row)]);
    auto const begin = rows.features.offsets[row], end = rows.features.offsets[row + 1];
    columns.insert(columns.end(), rows.features.columns.data() + begin, rows.features.columns.data() + end);
    values.insert(values.end(), rows.features.values.data() + begin, rows.features.values.data() + end);
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  };
  for (std::int64_t row = 0; row < all.features.num_rows; ++row) take(all, row);
  for (auto const row : test_row) {
    if (row >= 0) {
      take(tests, row);
    } else {
      labels.push_back(0);
      offsets.push_back(offsets.back());
    }
  }
  data.features = sparse_features{.num_rows = num_vertices,
                                  .num_columns = all.features.num_columns,
                                  .offsets = buffer_of(offsets),
                                  .columns = buffer_of(columns),
                                  .values = buffer_of(values)};
  data.labels = buffer_of(labels);
  data.num_classes = all.num_classes;
}

}  // namespace detail

/// The names of the networks in a folder, sorted: NAME where it has a file ind.NAME.graph. Empty where it is no folder.
inline std::vector<std::string> planetoid_names(std::filesystem::path const& folder) {
  constexpr std::string_view start = "ind.", end = ".graph";
  std::vector<std::string> names;
  std::error_code unreadable;  // no folder, no names; ++ of a loop over the folder would throw
  for (std::filesystem::directory_iterator entry(folder, unreadable), end_of_folder;
       !unreadable && entry != end_of_folder; entry.increment(unreadable)) {
    auto const file = entry->path().filename().string();
    if (file.size() > start.size() + end.size() && file.starts_with(start) && file.ends_with(end)) {
      names.push_back(file.substr(start.size(), file.size() - start.size() - end.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The citation network in ind.NAME.{x, tx, allx, y, ty, ally, graph, test.index}, of which all but the last are
/// pickles of Python 2 or 3, of protocols 0 to 5: csr matrices of SciPy (x, tx, allx), arrays of NumPy (y, ty, ally)
/// and a dict of lists (graph). Vertices are the rows of allx and then those of tx, at the places that test.index
/// gives; a vertex in between that has no place (Citeseer has 15, isolated) has no features and class 0, as the
/// all-zero label row that others give it. Edges go both ways, sorted by source, then by destination, without
/// repetitions and self loops. The split is the public one: the rows of y, the 500 rows of allx after them (or what
/// there is), the vertices of test.index, sorted. Nothing in a pickle is run, and no more memory or time is taken than
/// its size allows; features that are not finite are kept. Throws `io_error` naming the file and the byte or line, and
/// returns nothing then. Source: Yang et al. 2016, arXiv:1603.08861; treatment as in Kipf & Welling 2017,
/// arXiv:1609.02907.
inline dataset read_planetoid(std::filesystem::path const& folder, std::string const& name) {
  auto const prefix = (folder / ("ind." + name + ".")).string();
  auto const refuse = [&](char const* file, std::string const& reason) {
    throw io_error(detail::text(prefix, file, ": ", reason));
  };
  dataset data;
  data.edges = detail::read_planetoid_graph(prefix + "graph");
  std::int64_t const num_vertices = data.edges.num_sources();
  auto const train = detail::read_planetoid_rows(prefix, "x", "y");
  auto const all = detail::read_planetoid_rows(prefix, "allx", "ally");
  auto const tests = detail::read_planetoid_rows(prefix, "tx", "ty");
  auto const num_train = train.features.num_rows;
  auto const num_first = all.features.num_rows;
  if (num_first > num_vertices) {
    refuse("allx", detail::text("has ", num_first, " rows, the graph has ", num_vertices, " vertices"));
  }
  if (num_train > num_first || !std::equal(train.labels.begin(), train.labels.end(), all.labels.begin())) {
    refuse("y", detail::text("must be the first ", num_train, " rows of ally"));
  }
  for (auto const& [file, rows] : {std::pair("x", &train), std::pair("tx", &tests)}) {
    if (rows->features.num_columns != all.features.num_columns) {
      refuse(file, detail::text("has ", rows->features.num_columns, " columns, allx has ", all.features.num_columns));
    }
  }
  for (auto const& [file, rows] : {std::pair("y", &train), std::pair("ty", &tests)}) {
    if (rows->num_classes != all.num_classes) {
      refuse(file, detail::text("has ", rows->num_classes, " classes, ally has ", all.num_classes));
    }
  }
  auto test_index = detail::read_test_index(prefix + "test.index", num_first, num_vertices);
  if (static_cast<std::int64_t>(test_index.size()) != tests.features.num_rows) {
    refuse("test.index",
           detail::text("has ", test_index.size(), " vertices, tx has ", tests.features.num_rows, " rows"));
  }

  detail::join_planetoid_rows(data, all, tests, test_index);
  std::vector<std::int32_t> first_rows(static_cast<std::size_t>(std::min(num_train + 500, num_first)));
  std::iota(first_rows.begin(), first_rows.end(), 0);
  std::span<std::int32_t const> const first(first_rows);
  data.train = copy_of(first.first(static_cast<std::size_t>(num_train)));
  data.validation = copy_of(first.subspan(static_cast<std::size_t>(num_train)));
  std::sort(test_index.begin(), test_index.end());
  data.test = detail::buffer_of(test_index);
  return data;
}

/// `read_planetoid` for a folder that has the files of one network.
inline dataset read_planetoid(std::filesystem::path const& folder) {
  auto const names = planetoid_names(folder);
  if (names.empty()) throw io_error(detail::text(folder.string(), ": has no file ind.NAME.graph"));
  if (names.size() > 1) {
    throw io_error(detail::text(folder.string(), ": has several networks (", names[0], ", ", names[1],
                                names.size() > 2 ? ", ..." : "", "): name one, or give it a folder of its own"));
  }
  return read_planetoid(folder, names.front());
}

}  // namespace edgewise::inline v0
