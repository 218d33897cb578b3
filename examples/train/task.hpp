// A vertex classification task: what a model trains on, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

#include "train/feature_matrix.hpp"

namespace edgewise::train {

inline constexpr char const* micro_f1_name = "micro-F1";

/// A graph with features, labels and a split.
/// Shapes: features [V, F], every row summing to 1 or all 0; edge_types [E] by edge id, all 0 where edges have no
/// types; labels [V], -1 where unlabelled, or label_sets [V, num_classes], 1 where a vertex has a label, else 0, where
/// vertices have any number of them; rows list vertices.
struct task {
  std::string name;
  csr<> by_destination;
  csc<> by_source;
  std::int64_t num_vertices = 0;
  std::int64_t num_classes = 0;
  std::int64_t num_edge_types = 1;
  feature_matrix features;
  std::vector<std::int32_t> edge_types;
  std::vector<std::int32_t> labels;
  std::vector<std::uint8_t> label_sets;
  std::vector<std::int32_t> train_rows;
  std::vector<std::int32_t> validation_rows;
  std::vector<std::int32_t> test_rows;

  bool has_label_sets() const { return !label_sets.empty(); }
  /// What the numbers that are called accuracies are.
  char const* score_name() const { return has_label_sets() ? micro_f1_name : "accuracy"; }
};

/// Adds the labels that vertices have in a task to those of another.
inline void add_labels(task const& data, std::span<std::int32_t const> vertices, task& to) {
  std::int64_t const sets = data.has_label_sets() ? data.num_classes : 0;
  for (std::int32_t const v : vertices) {
    if (!data.labels.empty()) to.labels.push_back(data.labels[static_cast<std::size_t>(v)]);
    auto const set = data.label_sets.begin() + v * sets;
    to.label_sets.insert(to.label_sets.end(), set, set + sets);
  }
}

/// What a task is read for: a model is trained with labels and a split, which prediction does without.
enum class purpose { training, prediction };

/// "karate", "sbm" (generated_task.hpp) or the path of a folder of .npy files or of Planetoid's
/// (folder_task.hpp). Throws `invalid_argument` for another name and what those throw.
task load_task(std::string const& name, purpose use = purpose::training);

}  // namespace edgewise::train
