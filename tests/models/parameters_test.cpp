#include "models/parameters.hpp"

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using parameters_type = parameters<float, testing::host_context>;

TEST_CASE("parameters lie back to back in list order, values and gradients apart") {
  testing::host_context const context;
  parameters_type all(context, {{2, 3}, {1, 4}, {0, 5}, {1, 1}});
  CHECK(all.count() == 4);
  CHECK(all.size() == 11);
  CHECK(all.value(0).data == all.values());
  CHECK(all.value(1).data == all.values() + 6);
  CHECK(all.value(1).rows == 1);
  CHECK(all.value(1).cols == 4);
  CHECK(all.value(3).data == all.values() + 10);
  CHECK(all.gradient(1).data == all.gradients() + 6);
  CHECK(all.gradients() != all.values());
}

TEST_CASE("parameters name the one with a negative extent") {
  testing::host_context const context;
  CHECK_THROWS_WITH(parameters_type(context, {{2, 3}, {-1, 4}}), "parameters: parameter 1 has the shape [-1, 4]");
}

}  // namespace
}  // namespace edgewise::models
