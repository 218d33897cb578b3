// Training by ranks on a device is that of one process on the host.
#include "ranked_training_device_test.hpp"

#include <cstddef>

#include "support/catch.hpp"

#include "../io/temporary_folder.hpp"
#include "models/context.hpp"
#include "models/gcn.hpp"
#include "support/device.hpp"
#include "train/batch_task.cpp"  // the trainer is a program, so there is no library to link
#include "train/feature_matrix.cpp"
#include "train/generated_task.cpp"
#include "train/own_task.cpp"
#include "train/predicted_labels.cpp"
#include "train/stopped_run.cpp"
#include "train/trained_model.hpp"
#include "train/training.hpp"

namespace edgewise::testing {
namespace {

train::run_record train_on_host(train::task const& data, train::options const& options) {
  using model = train::trained_model<models::gcn_architecture, models::context<cpu>>;
  return train::train_once<model>({.threads = 1}, host_memory(), data, options, options.seed,
                                  [](int, train::epoch_record const&) {});
}

/// Rounding may move rows of close logits to another class.
void check_epochs(train::run_record const& actual, train::run_record const& expected) {
  REQUIRE(actual.epochs.size() == expected.epochs.size());
  for (std::size_t k = 0; k < expected.epochs.size(); ++k) {
    INFO("epoch " << k);
    CHECK(actual.epochs[k].loss == Approx(expected.epochs[k].loss).epsilon(1e-4));
    CHECK(actual.epochs[k].validation_loss == Approx(expected.epochs[k].validation_loss).epsilon(1e-4));
    CHECK(actual.epochs[k].test_accuracy == Approx(expected.epochs[k].test_accuracy).margin(0.05));
  }
}
void check_same_bits(train::run_record const& a, train::run_record const& b) {
  REQUIRE(a.epochs.size() == b.epochs.size());
  for (std::size_t k = 0; k < a.epochs.size(); ++k) {
    CHECK(a.epochs[k].loss == b.epochs[k].loss);
    CHECK(a.epochs[k].test_accuracy == b.epochs[k].test_accuracy);
  }
}

train::options of_epochs(int num_epochs) {
  train::options few;
  few.num_epochs = num_epochs;
  return few;
}

TEST_CASE("training by ranks on a device: epochs with dropout follow one process", "[train][gpu]") {
  skip_without_cuda_device();
  auto const data = train::block_model_task();
  auto const expected = train_on_host(data, of_epochs(8));
  for (int const num_ranks : {1, 3}) {
    INFO(num_ranks << " ranks");
    auto const runs = train_on_device_ranks(data, of_epochs(8), num_ranks);
    check_epochs(runs[0], expected);
    for (auto const& run : runs) {
      CHECK(run.num_ranks == num_ranks);
      check_same_bits(run, runs[0]);
    }
  }
  CHECK(expected.epochs.back().loss != expected.epochs.front().loss);
}

TEST_CASE("training by ranks on a device: goes on where a host stopped, and the reverse", "[train][gpu]") {
  skip_without_cuda_device();
  temporary_folder const folder;
  auto const data = train::block_model_task();
  auto const expected = train_on_host(data, of_epochs(6));
  auto first = of_epochs(3), second = of_epochs(6);
  first.save = second.resume = folder.file("by_ranks");
  train_on_device_ranks(data, first, 3);
  check_epochs(train_on_host(data, second), expected);
  first.save = second.resume = folder.file("by_host");
  train_on_host(data, first);
  check_epochs(train_on_device_ranks(data, second, 2)[0], expected);
}

}  // namespace
}  // namespace edgewise::testing
