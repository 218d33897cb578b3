// A model that takes parts of a graph, one after the other: mini-batches of sampled neighbors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/node_options.hpp"
#include "models/random_bits.hpp"
#include "models/sample_neighbors.hpp"
#include "train/batch_task.hpp"
#include "train/model_inputs.hpp"
#include "train/sampling.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// One plan, made for the largest part, serves them all; what a part is made of is uploaded to memory of its own.
template <class Model>
class sampled_model {
public:
  using Context = typename Model::context_type;

  /// For parts of at most `how.batch_size` seeds, of which there are `num_seeds` in all. The parameters are those of
  /// `whole`. `data` must outlive it. Throws `invalid_argument` where there are fewer fanouts than layers of neighbors.
  sampled_model(Context const& context, task const& data, models::node_options const& sizes, sampling how,
                std::int64_t num_seeds, Model const& whole)
      : data_(&data),
        how_(checked(std::move(how), num_seeds)),
        sizes_(sizes),
        largest_(context, largest_batch(data, how_.batch_size, how_.fanouts), sizes),
        model_(context, largest_.graph, largest_.features, whole) {}

  Model& model() { return model_; }
  std::int64_t batch_size() const { return how_.batch_size; }

  /// Samples neighbors of the seeds, the same for the same `step`, and has the model take them: the seeds are the first
  /// vertices of the task returned. Allocates and synchronises.
  task take(Context const& context, std::span<std::int32_t const> seeds, std::uint64_t step) {
    auto const part = models::sample_neighbors(data_->by_destination.view(), seeds, how_.fanouts, {how_.seed, step});
    task batch = batch_task(*data_, part, static_cast<std::int64_t>(seeds.size()));
    current_.emplace(context, batch, sizes_);
    model_.rebuild(context, current_->graph, current_->features);
    return batch;
  }

private:
  static sampling checked(sampling how, std::int64_t num_seeds) {
    if (how.fanouts.size() < static_cast<std::size_t>(Model::num_hops)) {
      throw invalid_argument(edgewise::detail::text(how.fanouts.size(), " fanouts, but ", Model::architecture_name,
                                                    " reads ", Model::num_hops, " layers of neighbors"));
    }
    how.batch_size = std::min(how.batch_size, num_seeds);
    return how;
  }

  task const* data_;
  sampling how_;
  models::node_options sizes_;
  model_inputs<Model> largest_;
  Model model_;
  std::optional<model_inputs<Model>> current_;
};

/// Calls f(seeds) for `rows` in batches of at most `size`.
template <class F>
void for_each_batch(std::span<std::int32_t const> rows, std::int64_t size, F const& f) {
  auto const step = static_cast<std::size_t>(size);
  for (std::size_t begin = 0; begin < rows.size(); begin += step) {
    f(rows.subspan(begin, std::min(step, rows.size() - begin)));
  }
}

}  // namespace edgewise::train
