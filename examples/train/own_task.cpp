#include "train/own_task.hpp"

#include <cstddef>
#include <vector>

namespace edgewise::train {

task task_of_vertices(task const& data, std::span<std::int64_t const> vertices) {
  std::vector<std::int32_t> const ids(vertices.begin(), vertices.end());
  std::vector<std::int32_t> place(static_cast<std::size_t>(data.num_vertices), -1);
  for (std::size_t v = 0; v < ids.size(); ++v) place[static_cast<std::size_t>(ids[v])] = static_cast<std::int32_t>(v);
  auto const rows_of_split = [&](std::vector<std::int32_t> const& rows) {
    std::vector<std::int32_t> own;
    for (std::int32_t const row : rows) {
      if (place[static_cast<std::size_t>(row)] >= 0) own.push_back(place[static_cast<std::size_t>(row)]);
    }
    return own;
  };
  task own;
  own.name = data.name;
  own.num_vertices = static_cast<std::int64_t>(ids.size());
  own.num_classes = data.num_classes;
  own.num_edge_types = data.num_edge_types;
  own.features = rows_of(data.features, ids);
  auto const entries = data.features.entries.view();
  for (std::int32_t const v : ids) {
    for (auto k = entries.offsets[v]; k < entries.offsets[v + 1]; ++k) own.features.numbers.push_back(k);
  }
  add_labels(data, ids, own);
  own.train_rows = rows_of_split(data.train_rows);
  own.validation_rows = rows_of_split(data.validation_rows);
  own.test_rows = rows_of_split(data.test_rows);
  return own;
}

}  // namespace edgewise::train
