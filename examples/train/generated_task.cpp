#include "train/generated_task.hpp"

#include <cstdint>
#include <utility>

#include <edgewise/core/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate.hpp>

namespace edgewise::train {
namespace {

/// The graph and its labels, with one feature per vertex and no split yet.
task with_identity_features(std::string name, labelled_graph<> const& graph) {
  task data;
  data.name = std::move(name);
  data.by_destination = to_csr(cpu{}, graph.edges);
  data.by_source = to_csc(cpu{}, graph.edges);
  data.num_vertices = graph.edges.num_destinations();
  data.num_classes = graph.num_classes;
  data.edge_types.assign(static_cast<std::size_t>(graph.edges.num_edges()), 0);
  data.labels.assign(graph.labels.begin(), graph.labels.end());
  data.features = identity_features(data.num_vertices);
  return data;
}

}  // namespace

task karate_task() {
  task data = with_identity_features("karate", karate_club());
  std::int32_t const instructor = 0;
  auto const president = static_cast<std::int32_t>(data.num_vertices - 1);
  data.train_rows = {instructor, president};
  for (std::int32_t v = instructor + 1; v < president; ++v) data.test_rows.push_back(v);
  return data;
}

task block_model_task() {
  constexpr std::int32_t block_size = 250;
  constexpr std::int32_t train_per_block = 20;
  constexpr std::int32_t validation_per_block = 30;
  task data = with_identity_features(
      "sbm", generate_block_model({.block_sizes = {block_size, block_size, block_size, block_size},
                                   .inside = 0.03,
                                   .between = 0.002,
                                   .seed = 2017}));
  for (std::int32_t v = 0; v < data.num_vertices; ++v) {
    std::int32_t const place = v % block_size;
    auto& rows = place < train_per_block                          ? data.train_rows
                 : place < train_per_block + validation_per_block ? data.validation_rows
                                                                  : data.test_rows;
    rows.push_back(v);
  }
  return data;
}

}  // namespace edgewise::train
