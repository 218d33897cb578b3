#include "train/best_epoch.hpp"

#include <cmath>

#include "support/catch.hpp"

namespace edgewise::train {
namespace {

epoch_record scored(double validation_accuracy, double validation_loss) {
  epoch_record epoch;
  epoch.validation_accuracy = validation_accuracy;
  epoch.validation_loss = validation_loss;
  return epoch;
}

TEST_CASE("the best epoch has the highest validation accuracy, then the lowest validation loss, then comes first") {
  CHECK(best_epoch({scored(0.5, 1.0)}) == 0);
  CHECK(best_epoch({scored(0.5, 1.0), scored(0.7, 2.0), scored(0.6, 0.5)}) == 1);
  CHECK(best_epoch({scored(0.7, 1.0), scored(0.7, 0.8), scored(0.7, 0.9)}) == 1);
  CHECK(best_epoch({scored(0.1, 0.1), scored(0.7, 0.8), scored(0.7, 0.8)}) == 1);
}

TEST_CASE("without validation the best epoch is the last") {
  CHECK(best_epoch({scored(NAN, NAN), scored(NAN, NAN), scored(NAN, NAN)}) == 2);
}

}  // namespace
}  // namespace edgewise::train
