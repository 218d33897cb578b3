#include "train/early_stopping.hpp"

#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace edgewise::train {
namespace {

/// How many epochs of (validation accuracy, validation loss) are seen until training ends; all, where it does not.
std::size_t epochs_until_end(int patience, std::vector<std::pair<double, double>> const& epochs) {
  early_stopping stopping(patience);
  std::size_t count = 0;
  for (auto const& [accuracy, loss] : epochs) {
    if (stopping.has_ended()) break;
    epoch_record epoch;
    epoch.validation_accuracy = accuracy;
    epoch.validation_loss = loss;
    stopping.see(epoch);
    ++count;
  }
  return count;
}

TEST_CASE("early stopping: ends after as many worse epochs in a row as there is patience", "[train]") {
  // Worse than the best accuracy, 0.5, and the best loss, 1, which are not of one epoch.
  std::vector<std::pair<double, double>> const epochs{{0.4, 1.0}, {0.5, 1.2}, {0.45, 1.1}, {0.4, 1.3},
                                                      {0.1, 1.4}, {0.4, 1.1}, {0.4, 1.1}};
  CHECK(epochs_until_end(1, epochs) == 3);
  CHECK(epochs_until_end(2, epochs) == 4);
  CHECK(epochs_until_end(5, epochs) == 7);
  CHECK(epochs_until_end(6, epochs) == 7);
}

TEST_CASE("early stopping: either of accuracy and loss at its best begins the count anew", "[train]") {
  CHECK(epochs_until_end(2, {{0.5, 1.0}, {0.4, 1.1}, {0.4, 0.9}, {0.4, 1.0}, {0.4, 1.0}, {0.4, 1.0}}) == 5);
  CHECK(epochs_until_end(2, {{0.5, 1.0}, {0.4, 1.1}, {0.6, 1.1}, {0.5, 1.1}, {0.5, 1.1}, {0.5, 1.1}}) == 5);
  // Equal to the best is no worse.
  CHECK(epochs_until_end(2, {{0.5, 1.0}, {0.4, 1.1}, {0.5, 1.1}, {0.4, 1.1}, {0.4, 1.0}, {0.4, 1.1}}) == 6);
}

TEST_CASE("early stopping: without patience nothing ends", "[train]") {
  CHECK(epochs_until_end(0, std::vector<std::pair<double, double>>(50, {0.0, 9.0})) == 50);
  std::vector<std::pair<double, double>> falling(50, {0.0, 9.0});
  falling.front() = {1.0, 0.0};
  CHECK(epochs_until_end(0, falling) == 50);
  CHECK(epochs_until_end(49, falling) == 50);
  CHECK(epochs_until_end(48, falling) == 49);
}

}  // namespace
}  // namespace edgewise::train
