#include "models/adam.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using parameters_type = parameters<double, testing::host_context>;
using adam_type = adam<double, testing::host_context>;

TEST_CASE("two Adam steps equal the steps computed by hand") {
  testing::host_context const context;
  parameters_type moved(context, {{1, 2}});
  moved.values()[0] = 1.0;  // decayed
  moved.values()[1] = 2.0;
  adam_type optimizer(
      context, moved.size(),
      {.learning_rate = 0.1, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8, .weight_decay = 0.5, .num_decayed = 1});

  // Step 1, gradients 0.5 + 0.5 * 1 = 1 and -4: the unbiased moments are g and g^2, so the step is 0.1 sign(g).
  moved.gradients()[0] = 0.5;
  moved.gradients()[1] = -4.0;
  optimizer.step(context, moved);
  CHECK(moved.values()[0] == Approx(1 - 0.1 / (1 + 1e-8)).epsilon(1e-14));
  CHECK(moved.values()[1] == Approx(2 + 0.4 / (4 + 1e-8)).epsilon(1e-14));

  // Step 2, gradients -0.45 + 0.5 * 0.9 = 0 and 2.
  //   first  element: m = 0.9 * 0.1 = 0.09,  v = 0.99 * 0.01 = 0.0099
  //   second element: m = 0.9 * -0.4 + 0.1 * 2 = -0.16,  v = 0.99 * 0.16 + 0.01 * 4 = 0.1984
  //   divisors 1 - 0.9^2 = 0.19 and 1 - 0.99^2 = 0.0199
  moved.gradients()[0] = -0.45;
  moved.gradients()[1] = 2.0;
  optimizer.step(context, moved);
  CHECK(moved.values()[0] == Approx(0.9 - 0.1 * (0.09 / 0.19) / std::sqrt(0.0099 / 0.0199)).epsilon(1e-8));
  CHECK(moved.values()[1] == Approx(2.1 + 0.1 * (0.16 / 0.19) / std::sqrt(0.1984 / 0.0199)).epsilon(1e-8));
}

TEST_CASE("without a gradient nothing moves, whatever the epsilon") {
  testing::host_context const context;
  parameters_type still(context, {{1, 1}});
  still.values()[0] = 3.0;
  still.gradients()[0] = 0.0;
  adam_type optimizer(context, still.size(), {});
  optimizer.step(context, still);
  CHECK(still.values()[0] == 3.0);
}

TEMPLATE_TEST_CASE("a step has the learning rate that was set last", "", float, double) {
  testing::host_context const context;
  parameters<TestType, testing::host_context> moved(context, {{1, 1}});
  moved.values()[0] = 1;
  moved.gradients()[0] = 2;
  adam<TestType, testing::host_context> optimizer(context, moved.size(), {.learning_rate = 0.1});
  double expected = 1.0;
  // Of a constant gradient every unbiased moment is that of the first step: a step is the rate.
  for (double rate : {0.1, 0.4, 0.4, 0.05}) {
    optimizer.set_learning_rate(context, rate);
    optimizer.step(context, moved);
    expected -= rate;
    CHECK(std::abs(moved.values()[0] - expected) < (sizeof(TestType) == 4 ? 5e-7 : 1e-8));
  }
}

TEST_CASE("Adam refuses parameters of another size and more decay than elements") {
  testing::host_context const context;
  parameters_type three(context, {{1, 3}});  // and what is behind them up to 64 bytes
  adam_type optimizer(context, 2, {});
  CHECK_THROWS_WITH(optimizer.step(context, three), "adam: the parameters have 8 elements, the moments 2");
  CHECK_THROWS_WITH(adam_type(context, 2, {.num_decayed = 3}), "adam: num_decayed = 3, but there are 2 elements");
}

}  // namespace
}  // namespace edgewise::models
