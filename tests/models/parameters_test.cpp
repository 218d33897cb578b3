#include "models/parameters.hpp"

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using parameters_type = parameters<float, testing::host_context>;

TEST_CASE("parameters lie in list order, each at 64 bytes, values and gradients apart, and are 0") {
  testing::host_context const context;
  parameters_type all(context, {{2, 3}, {1, 17}, {0, 5}, {1, 1}});
  CHECK(all.count() == 4);
  CHECK(all.size() == 64);
  CHECK(all.value(0).data == all.values());
  CHECK(all.value(1).data == all.values() + 16);
  CHECK(all.value(1).rows == 1);
  CHECK(all.value(1).cols == 17);
  CHECK(all.value(3).data == all.values() + 48);
  CHECK(all.gradient(1).data == all.gradients() + 16);
  CHECK(all.gradients() != all.values());
  for (std::int64_t i = 0; i < all.size(); ++i) CHECK((all.values()[i] == 0 && all.gradients()[i] == 0));
}

TEST_CASE("parameters name the one with a negative extent") {
  testing::host_context const context;
  CHECK_THROWS_WITH(parameters_type(context, {{2, 3}, {-1, 4}}), "parameters: parameter 1 has the shape [-1, 4]");
}

}  // namespace
}  // namespace edgewise::models
