// Mini-batches as tasks of their own.
#pragma once

#include <cstdint>
#include <span>

#include "models/sample_neighbors.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// The task of training on a part of a graph: its edges, features, types and labels; training rows are the first
/// `num_seeds` vertices of the part.
task batch_task(task const& data, models::sampled_part const& part, std::int64_t num_seeds);

/// A task that is as large as any batch of at most `num_seeds` seeds can be: what memory has to be for.
task largest_batch(task const& data, std::int64_t num_seeds, std::span<std::int64_t const> fanouts);

}  // namespace edgewise::train
