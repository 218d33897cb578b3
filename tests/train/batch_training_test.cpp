// Training on batches of sampled neighbors.
#include <cstddef>
#include <vector>

#include "support/catch.hpp"

#include "../io/temporary_folder.hpp"
#include "models/checkpoint.hpp"
#include "models/context.hpp"
#include "models/sage.hpp"
#include "models/saved_model.hpp"
#include "train/batch_task.cpp"  // the trainer is a program, so there is no library to link
#include "train/feature_matrix.cpp"
#include "train/generated_task.cpp"
#include "train/prediction.hpp"
#include "train/record.cpp"
#include "train/stopped_run.cpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::train {
namespace {

using model = trained_model<models::sage_architecture, models::context<cpu>>;

run_record train_on(task const& data, options const& options, int threads = 1) {
  return train_once<model>({.threads = threads}, host_memory(), data, options, 3, [](int, epoch_record const&) {});
}
options few_epochs() {
  options few;
  few.num_epochs = 6;
  few.dropout = 0;
  return few;
}

TEST_CASE("batches: one of all rows and all of their neighbors is the whole graph", "[train]") {
  task const data = block_model_task();
  options sampled = few_epochs();
  sampled.batch_size = 80;
  sampled.fanouts = {1, 1};
  auto const fitting = train_on(data, sampled).peak_bytes;
  sampled.batch_size = 1000;
  CHECK(train_on(data, sampled).peak_bytes == fitting);  // there are 80 training rows, whatever is asked for
  sampled.fanouts = {1000, 1000};
  auto const expected = train_on(data, few_epochs()), actual = train_on(data, sampled);
  for (std::size_t k = 0; k < 6; ++k) {
    INFO("epoch " << k);
    CHECK(actual.epochs[k].loss == Approx(expected.epochs[k].loss).epsilon(1e-4));
    CHECK(actual.epochs[k].validation_loss == Approx(expected.epochs[k].validation_loss).epsilon(1e-4));
  }
}

TEST_CASE("batches: predict what the whole graph does where they have all neighbors", "[train]") {
  task const data = block_model_task();
  testing::temporary_folder const folder;
  options trained = few_epochs();
  trained.save = folder.file("model");
  train_on(data, trained);
  auto const saved = models::read_model<float>(models::checkpoint::load(trained.save));
  auto const expected = predict_once<model>({.threads = 1}, data, saved);
  auto const actual = predict_once<model>({.threads = 1}, data, saved, {300, {1000, 1000}});
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(actual[i] == Approx(expected[i]).epsilon(1e-4).margin(1e-5));
  auto const few = predict_once<model>({.threads = 1}, data, saved, {300, {2, 2}});
  CHECK(few != expected);
  CHECK(predict_once<model>({.threads = 3}, data, saved, {300, {2, 2}}) == few);
  CHECK_THROWS_WITH(predict_once<model>({.threads = 1}, data, saved, {300, {5}}),
                    "1 fanouts, but sage reads 2 layers of neighbors");
}

TEST_CASE("batches: train, whatever the threads, and go on with the same bits", "[train]") {
  task const data = block_model_task();
  testing::temporary_folder const folder;
  options sampled = few_epochs();
  sampled.dropout = 0.5;
  sampled.num_epochs = 12;
  sampled.batch_size = 24;  // the last batch of the 80 rows is shorter
  sampled.fanouts = {4, 3};
  auto const whole = train_on(data, sampled);
  CHECK(whole.epochs.back().loss < 0.8 * whole.epochs.front().loss);
  CHECK(whole.epochs.back().test_accuracy > 0.8);  // a guess is right on a quarter
  auto const threaded = train_on(data, sampled, 3);
  options first = sampled;
  first.num_epochs = 5;
  first.save = folder.file("part");
  train_on(data, first);
  options rest = sampled;
  rest.resume = first.save;
  auto const resumed = train_on(data, rest);
  for (std::size_t k = 0; k < whole.epochs.size(); ++k) {
    INFO("epoch " << k);
    CHECK(threaded.epochs[k].loss == whole.epochs[k].loss);
    CHECK(resumed.epochs[k].loss == whole.epochs[k].loss);
    CHECK(resumed.epochs[k].test_accuracy == whole.epochs[k].test_accuracy);
  }
  rest.fanouts = {4, 4};
  CHECK_THROWS_WITH(train_on(data, rest), "--resume " + rest.resume + ": fanouts is 4 3, this run's is 4 4");
}

TEST_CASE("batches: the largest has room for all", "[train]") {
  task const data = block_model_task();
  std::vector<std::int64_t> const fanouts{5, 5};
  task const largest = largest_batch(data, 30, fanouts);
  auto const part =
      models::sample_neighbors(data.by_destination.view(), std::span(data.train_rows).first(30), fanouts, {1, 2});
  task const batch = batch_task(data, part, 30);
  CHECK(batch.num_vertices <= largest.num_vertices);
  CHECK(batch.by_destination.num_edges() <= largest.by_destination.num_edges());
  CHECK(batch.features.values.size() <= largest.features.values.size());
  CHECK(batch.edge_types.size() == static_cast<std::size_t>(batch.by_destination.num_edges()));
  CHECK(batch.train_rows.size() == 30);
  // Row v of the features is that of the vertex that it stands for: identities here.
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    CHECK(batch.features.entries.view().neighbors[v] == part.vertices[v]);
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    CHECK(batch.labels[v] == data.labels[static_cast<std::size_t>(part.vertices[v])]);
}

}  // namespace
}  // namespace edgewise::train
