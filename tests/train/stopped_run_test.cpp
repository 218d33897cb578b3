#include "train/stopped_run.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../io/temporary_folder.hpp"
#include "models/context.hpp"
#include "models/gcn.hpp"
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

using testing::message_of;
using model = trained_model<models::gcn_architecture, models::context<cpu>>;

options small_options() {
  options small;
  small.num_epochs = 7;
  return small;
}

run_record train_small(task const& data, options const& options, std::uint64_t seed = 3, int threads = 1) {
  return train_once<model>({.threads = threads}, host_memory(), data, options, seed, [](int, epoch_record const&) {});
}

/// NaN is the same as NaN here.
bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_same_epochs(std::vector<epoch_record> const& a, std::vector<epoch_record> const& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    INFO("epoch " << k);
    CHECK(a[k].loss == b[k].loss);
    CHECK(is_same(a[k].validation_loss, b[k].validation_loss));
    CHECK(a[k].train_accuracy == b[k].train_accuracy);
    CHECK(is_same(a[k].validation_accuracy, b[k].validation_accuracy));
    CHECK(a[k].test_accuracy == b[k].test_accuracy);
  }
}

TEST_CASE("stopped run: one that goes on has the bits of one that never stopped", "[train]") {
  testing::temporary_folder const folder;
  for (task const& data : {karate_task(), block_model_task()}) {
    options whole = small_options();
    whole.save = folder.file("whole");
    auto const expected = train_small(data, whole);

    options first = small_options();
    first.num_epochs = 3;
    first.save = folder.file("part");
    train_small(data, first);
    options rest = small_options();
    rest.resume = first.save;
    rest.save = folder.file("rest");
    auto const actual = train_small(data, rest, 3, 2);

    check_same_epochs(actual.epochs, expected.epochs);
    CHECK(actual.epochs[0].milliseconds > 0);
    CHECK(actual.best_epoch == expected.best_epoch);
    CHECK(actual.last_epoch == 6);
    auto const a = load_run(whole.save, data, whole, 3).state, b = load_run(rest.save, data, whole, 3).state;
    CHECK(a.model.values == b.model.values);
    CHECK(a.first_moments == b.first_moments);
    CHECK(a.second_moments == b.second_moments);
    CHECK(a.powers.beta1 == b.powers.beta1);
    CHECK(a.powers.beta2 == b.powers.beta2);
    CHECK(a.random.step == b.random.step);
    CHECK(a.random.step == 7);
    CHECK(a.random.seed == 3);

    // Each part of the state matters.
    for (char const* part : {"model.values", "adam.first_moments", "adam.second_moments"}) {
      INFO(part);
      auto changed = models::checkpoint::load(first.save);
      changed.set(part, std::vector<float>(a.first_moments.size(), 0.01f));
      changed.save(folder.file("changed"));
      rest.resume = folder.file("changed");
      CHECK(train_small(data, rest).epochs.back().loss != expected.epochs.back().loss);
    }
    auto changed = models::checkpoint::load(first.save);
    changed.set("random.seed_and_step", std::vector<std::uint64_t>{3, 4});
    changed.save(folder.file("changed"));
    CHECK(train_small(data, rest).epochs.back().loss != expected.epochs.back().loss);
    changed = models::checkpoint::load(first.save);
    changed.set("adam.powers", std::vector<double>{0.9, 0.999});
    changed.save(folder.file("changed"));
    CHECK(train_small(data, rest).epochs.back().loss != expected.epochs.back().loss);
  }
}

TEST_CASE("stopped run: one that was killed goes on from the last epoch that was saved", "[train]") {
  testing::temporary_folder const folder;
  task const data = karate_task();
  options const whole = small_options();
  options killed = whole;
  killed.save = folder.file("killed");
  killed.save_every = 2;
  struct kill {};
  auto const kill_at_5 = [](int epoch, epoch_record const&) {
    if (epoch == 5) throw kill{};
  };
  CHECK_THROWS_AS(train_once<model>({.threads = 1}, host_memory(), data, killed, 3, kill_at_5), kill);
  CHECK(load_run(killed.save, data, whole, 3).epochs.size() == 4);
  options rest = whole;
  rest.resume = killed.save;
  check_same_epochs(train_small(data, rest).epochs, train_small(data, whole).epochs);

  // One that has all of its epochs has nothing to do.
  options done = whole;
  done.num_epochs = 4;
  done.resume = killed.save;
  CHECK(train_small(data, done).last_epoch == 3);
}

TEST_CASE("stopped run: the learning rate goes on in its schedule", "[train]") {
  testing::temporary_folder const folder;
  task const data = karate_task();
  for (char const* name : {"cosine", "step"}) {
    INFO(name);
    options whole = small_options();
    whole.schedule = name;
    whole.step_epochs = 2;
    auto const expected = train_small(data, whole);
    CHECK(expected.epochs.back().loss != train_small(data, small_options()).epochs.back().loss);

    options killed = whole;
    killed.save = folder.file(name);
    killed.save_every = 3;
    struct kill {};
    auto const kill_at_3 = [](int epoch, epoch_record const&) {
      if (epoch == 3) throw kill{};
    };
    CHECK_THROWS_AS(train_once<model>({.threads = 1}, host_memory(), data, killed, 3, kill_at_3), kill);
    options rest = whole;
    rest.resume = killed.save;
    check_same_epochs(train_small(data, rest).epochs, expected.epochs);
  }
  options longer = small_options();
  longer.schedule = "cosine";
  longer.num_epochs = 8;
  longer.resume = folder.file("cosine");
  CHECK(message_of<invalid_argument>([&] { train_small(data, longer); }) ==
        "--resume " + longer.resume + ": schedule is cosine over 7 epochs, this run's is cosine over 8 epochs");
}

TEST_CASE("stopped run: the best epoch is kept, also where the run stopped between", "[train]") {
  testing::temporary_folder const folder;
  task const data = block_model_task();
  options whole = small_options();
  whole.num_epochs = 12;
  whole.learning_rate = 1;  // so large that the last epoch is not the best
  whole.save_best = folder.file("whole");
  auto const expected = train_small(data, whole);
  REQUIRE(expected.best_epoch < expected.last_epoch);
  auto const best = load_run(whole.save_best, data, whole, 3);
  CHECK(best.epochs.size() == expected.best_epoch + 1);
  auto const logits = predict_once<model>({.threads = 1}, data, best.state.model);
  auto const score = score_of_test_rows(data, predicted_labels(logits, data.num_classes, false));
  CHECK(score.value == Approx(expected.epochs[expected.best_epoch].test_accuracy).epsilon(1e-12));

  options first = whole;
  first.num_epochs = static_cast<int>(expected.best_epoch) + 2;
  first.save = folder.file("first");
  first.save_best = folder.file("best");
  train_small(data, first);
  options rest = whole;
  rest.resume = first.save;
  rest.save_best = folder.file("later");
  train_small(data, rest);
  CHECK(!std::filesystem::exists(rest.save_best));  // no later epoch was better
  CHECK(load_run(first.save_best, data, whole, 3).state.model.values == best.state.model.values);
}

TEST_CASE("stopped run: patience counts the epochs before it stopped", "[train]") {
  testing::temporary_folder const folder;
  task const data = block_model_task();
  options whole = small_options();
  whole.num_epochs = 60;
  whole.learning_rate = 1;  // so large that validation gets worse again
  whole.patience = 2;
  auto const expected = train_small(data, whole);
  CHECK(expected.has_stopped_early);
  std::size_t const num_epochs = expected.epochs.size();
  REQUIRE(num_epochs < 60);
  REQUIRE(num_epochs > 3);
  CHECK(expected.last_epoch == num_epochs - 1);

  options first = whole;
  first.num_epochs = static_cast<int>(num_epochs) - 1;
  first.save = folder.file("first");
  CHECK(!train_small(data, first).has_stopped_early);
  options rest = whole;
  rest.resume = first.save;
  rest.save = folder.file("rest");
  auto const actual = train_small(data, rest);
  CHECK(actual.has_stopped_early);
  check_same_epochs(actual.epochs, expected.epochs);
  // It does not go on with the same patience, and does with more.
  rest.resume = rest.save;
  CHECK(train_small(data, rest).epochs.size() == num_epochs);
  rest.patience = 0;
  CHECK(train_small(data, rest).epochs.size() == 60);
}

TEST_CASE("stopped run: other data, options and seeds are refused by name", "[train]") {
  testing::temporary_folder const folder;
  task const data = karate_task();
  options saved = small_options();
  saved.save = folder.file("run");
  train_small(data, saved);
  options rest = small_options();
  rest.resume = saved.save;

  auto const refusal = [&](task const& data, options const& options, std::uint64_t seed = 3) {
    return message_of<invalid_argument>([&] { train_small(data, options, seed); });
  };
  std::string const begin = "--resume " + saved.save + ": ";
  CHECK(refusal(data, rest) == "no error");
  CHECK(refusal(data, rest, 4) == begin + "seed is 3, this run's is 4");
  CHECK(refusal(block_model_task(), rest) == begin + "data is karate, this run's is sbm");
  auto const with = [&](auto options::*member, auto value) {
    options changed = rest;
    changed.*member = value;
    return refusal(data, changed);
  };
  CHECK(with(&options::num_hidden, 17) == begin + "hidden is 16, this run's is 17");
  CHECK(with(&options::model, "gat") == begin + "model is gcn, this run's is gat");
  CHECK(with(&options::dropout, 0.25) == begin + "dropout is 0.5, this run's is 0.25");
  CHECK(with(&options::weight_decay, 0.1) == begin + "weight decay is 5e-04, this run's is 0.1");
  CHECK(with(&options::learning_rate, 0.1) == begin + "learning rate is 0.01, this run's is 0.1");
  CHECK(with(&options::num_epochs, 6) == begin + "has 7 epochs, more than --epochs 6");
  task fewer = karate_task();
  fewer.test_rows.pop_back();
  CHECK(refusal(fewer, rest) == begin + "test rows is 32, this run's is 31");
}

TEST_CASE("stopped run: a file without all of a run is refused by name", "[train]") {
  testing::temporary_folder const folder;
  task const data = karate_task();
  options saved = small_options();
  saved.save = folder.file("run");
  train_small(data, saved);
  auto const refusal = [&](auto const& change) {
    auto file = models::checkpoint::load(saved.save);
    change(file);
    file.save(folder.file("wrong"));
    return message_of<io_error>([&] { load_run(folder.file("wrong"), data, saved, 3); });
  };
  std::string const begin = folder.file("wrong") + ": ";
  CHECK(refusal([](auto&) {}) == "no error");
  CHECK(refusal([](auto& file) { file.set("run.epochs", std::vector<double>(7)); }) ==
        begin + "array 'run.epochs' has no whole epochs");
  CHECK(refusal([](auto& file) { file.set("adam.powers", std::vector<double>(1)); }) ==
        begin + "array 'adam.powers' has 1 elements, must have 2");
  CHECK(refusal([](auto& file) { file.set("adam.first_moments", std::vector<float>(5)); }).find("must have") !=
        std::string::npos);
  CHECK(refusal([](auto& file) { file.set("random.seed_and_step", std::vector<double>(2)); }) ==
        begin + "array 'random.seed_and_step' has elements of float64, must have uint64");
  models::checkpoint empty;
  empty.save(folder.file("wrong"));
  CHECK(message_of<io_error>([&] { load_run(folder.file("wrong"), data, saved, 3); }) ==
        begin + "has no array 'run.data'");

  // Shapes are compared with those of the model that goes on, before anything of it changes.
  auto file = models::checkpoint::load(saved.save);
  file.set("model.shapes", std::vector<std::int64_t>{34, 16, 1, 16, 16, 2, 2, 1});
  file.save(folder.file("wrong"));
  options rest = small_options();
  rest.resume = folder.file("wrong");
  CHECK(message_of<invalid_argument>([&] { train_small(data, rest); }).find("the saved ones are [34, 16]") !=
        std::string::npos);
}

}  // namespace
}  // namespace edgewise::train
