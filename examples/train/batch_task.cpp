#include "train/batch_task.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include <edgewise/core/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::train {
namespace {

/// A graph whose edges all go from the first source to the first destination.
csr<> concentrated(vertex_counts counts, std::int64_t num_edges) {
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(counts.destinations) + 1,
                                    static_cast<std::int32_t>(num_edges));
  offsets.front() = 0;
  return make_csr(counts, offsets, std::vector<std::int32_t>(static_cast<std::size_t>(num_edges)), validation::off);
}

/// The most elements that `num_rows` rows of a matrix have.
std::int64_t most_elements(csr_view<> const& entries, std::int64_t num_rows) {
  std::vector<std::int64_t> sizes;
  for (std::int32_t row = 0; row < entries.num_rows; ++row) {
    sizes.push_back(entries.offsets[row + 1] - entries.offsets[row]);
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.resize(static_cast<std::size_t>(std::min<std::int64_t>(num_rows, entries.num_rows)));
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

}  // namespace

task batch_task(task const& data, models::sampled_part const& part, std::int64_t num_seeds) {
  task batch;
  batch.name = data.name;
  batch.num_vertices = static_cast<std::int64_t>(part.vertices.size());
  batch.by_destination = make_csr(vertices(batch.num_vertices), part.offsets, part.neighbors, validation::off);
  batch.by_source = to_csc(cpu{}, batch.by_destination);
  batch.num_classes = data.num_classes;
  batch.num_edge_types = data.num_edge_types;
  batch.features = rows_of(data.features, part.vertices);
  for (std::int32_t const edge : part.edge_ids) {
    batch.edge_types.push_back(data.edge_types[static_cast<std::size_t>(edge)]);
  }
  add_labels(data, part.vertices, batch);
  batch.train_rows.resize(static_cast<std::size_t>(num_seeds));
  std::iota(batch.train_rows.begin(), batch.train_rows.end(), 0);
  return batch;
}

task largest_batch(task const& data, std::int64_t num_seeds, std::span<std::int64_t const> fanouts) {
  auto const most = models::largest_part(data.by_destination.view(), num_seeds, fanouts);
  task batch;
  batch.name = data.name;
  batch.num_vertices = most.vertices;
  batch.by_destination = concentrated(vertices(most.vertices), most.edges);
  batch.by_source = to_csc(cpu{}, batch.by_destination);
  batch.num_classes = data.num_classes;
  batch.num_edge_types = data.num_edge_types;
  std::int64_t const num_elements = most_elements(data.features.entries.view(), most.vertices);
  batch.features = {concentrated({.sources = data.features.num_columns(), .destinations = most.vertices}, num_elements),
                    std::vector<float>(static_cast<std::size_t>(num_elements))};
  batch.edge_types.resize(static_cast<std::size_t>(most.edges));
  batch.labels.resize(static_cast<std::size_t>(most.vertices), -1);
  return batch;
}

}  // namespace edgewise::train
