#include "models/learning_rate.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "../format/message.hpp"

namespace edgewise::models {
namespace {

learning_rate_schedule schedule(char const* name) {
  return {.kind = schedule_named(name), .initial = 0.8, .num_epochs = 12, .step_epochs = 5, .step_factor = 0.5};
}

TEST_CASE("learning rate: constant stays", "[models]") {
  for (int epoch : {0, 1, 11, 1000}) CHECK(schedule("constant").at(epoch) == 0.8);
}

TEST_CASE("learning rate: cosine falls from the initial rate to half of it midway, and towards 0", "[models]") {
  auto const rate = schedule("cosine");
  CHECK(rate.at(0) == 0.8);
  CHECK(rate.at(4) == Approx(0.6));  // cos 60 degrees = 1/2
  CHECK(rate.at(6) == Approx(0.4));  // cos 90 degrees = 0
  CHECK(rate.at(9) == Approx(0.4 - 0.4 * std::sqrt(0.5)));
  CHECK(rate.at(12) == Approx(0.0).margin(1e-15));
  for (int epoch = 0; epoch < 12; ++epoch) CHECK(rate.at(epoch + 1) < rate.at(epoch));
}

TEST_CASE("learning rate: steps multiply after whole numbers of epochs", "[models]") {
  auto const rate = schedule("step");
  for (int epoch = 0; epoch < 5; ++epoch) CHECK(rate.at(epoch) == 0.8);
  for (int epoch = 5; epoch < 10; ++epoch) CHECK(rate.at(epoch) == 0.4);
  CHECK(rate.at(10) == 0.2);
}

TEST_CASE("learning rate: an unknown schedule is named", "[models]") {
  CHECK(testing::message_of<invalid_argument>([] { schedule_named("linear"); }) ==
        "learning rate: there is no schedule linear");
}

}  // namespace
}  // namespace edgewise::models
