#include "train/objective.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../io/temporary_folder.hpp"
#include "models/context.hpp"
#include "models/sage.hpp"
#include "train/batch_task.cpp"  // the trainer is a program, so there is no library to link
#include "train/feature_matrix.cpp"
#include "train/generated_task.cpp"
#include "train/predicted_labels.cpp"
#include "train/prediction.hpp"
#include "train/stopped_run.cpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::train {
namespace {

using model = trained_model<models::sage_architecture, models::context<cpu>>;

/// The four communities with sets of three labels: {}, {0}, {0, 1} and {1, 2}.
task communities_with_label_sets() {
  task data = block_model_task();
  data.num_classes = 3;
  for (std::int32_t const block : data.labels) {
    std::uint8_t const sets[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 1}};
    data.label_sets.insert(data.label_sets.end(), sets[block], sets[block] + 3);
  }
  data.labels.clear();
  return data;
}

TEST_CASE("label sets: a model learns them, and predicts from a file what training scored", "[train]") {
  testing::temporary_folder const folder;
  task const data = communities_with_label_sets();
  options options;
  options.num_epochs = 60;
  options.save = folder.file("run");
  auto const run = train_once<model>({.threads = 2}, host_memory(), data, options, 5, [](int, epoch_record const&) {});
  CHECK(run.epochs.front().loss == Approx(std::log(2)).margin(0.05));  // every label is as likely as not
  CHECK(run.epochs.back().loss < 0.6 * run.epochs.front().loss);
  CHECK(run.epochs.back().test_accuracy > 0.9);
  CHECK(run.epochs.back().validation_loss < std::log(2));

  auto const file = models::checkpoint::load(options.save);
  CHECK(predicts_label_sets(file));
  auto const logits = predict_once<model>({.threads = 1}, data, models::read_model<float>(file));
  auto const predicted = predicted_labels(logits, 3, true);
  REQUIRE(predicted.size() == 1000);
  auto const score = score_of_test_rows(data, predicted);
  CHECK(score.num_rows == 800);
  CHECK(score.value == Approx(run.epochs.back().test_accuracy).epsilon(1e-12));

  // Classes are another task.
  options.resume = options.save;
  CHECK(testing::message_of<invalid_argument>([&] { load_run(options.resume, block_model_task(), options, 5); }) ==
        "--resume " + options.resume + ": score is micro-F1, this run's is accuracy");
}

TEST_CASE("label sets: predicted are positive logits, and of classes the largest", "[train]") {
  std::vector<float> const logits{-1, 2, 3, 0, -1, -2, 5, 5, 5};
  using labels = std::vector<std::vector<std::int32_t>>;
  CHECK(predicted_labels(logits, 3, true) == labels{{1, 2}, {}, {0, 1, 2}});
  CHECK(predicted_labels(logits, 3, false) == labels{{2}, {0}, {0}});
}

TEST_CASE("label sets: the score is of test rows with labels", "[train]") {
  task data;
  data.num_classes = 3;
  data.labels = {0, -1, 2, 1};
  data.test_rows = {1, 2, 3};
  auto const accuracy = score_of_test_rows(data, {{1}, {0}, {2}, {0}});
  CHECK(accuracy.num_rows == 2);
  CHECK(accuracy.value == 0.5);
  data.labels.clear();
  CHECK(score_of_test_rows(data, {{1}, {0}, {2}, {0}}).num_rows == 0);
  data.label_sets = {1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0};
  auto const f1 = score_of_test_rows(data, {{}, {}, {0, 1}, {1}});  // 2 found, 3 predicted, 3 there
  CHECK(f1.num_rows == 3);
  CHECK(f1.value == Approx(2.0 / 3.0));
  CHECK(score_of_test_rows(data, {{}, {}, {}, {}}).value == 0.0);
}

}  // namespace
}  // namespace edgewise::train
