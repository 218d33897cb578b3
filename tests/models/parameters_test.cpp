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

TEST_CASE("packed parameters lie side by side, their rows at 16 bytes") {
  testing::host_context const context;
  parameters_type all(context, {{2, 3}, {5, 7, true}, {1, 2}, {5, 4, true}});
  CHECK(all.size() == 16 + 64 + 16);  // 5 rows of 8 + 4 columns
  CHECK(all.value(1).data == all.values() + 16);
  CHECK(all.value(3).data == all.values() + 16 + 8);
  CHECK(all.value(2).data == all.values() + 16 + 64);
  CHECK((all.value(1).row_stride == 12 && all.value(3).row_stride == 12));
  CHECK((all.value(0).row_stride == 3 && all.value(2).row_stride == 2));
  CHECK(all.packed_value().data == all.values() + 16);
  CHECK(all.packed_gradient().data == all.gradients() + 16);
  CHECK((all.packed_value().rows == 5 && all.packed_value().cols == 12 && all.packed_value().row_stride == 12));
  CHECK((all.packed_column(1) == 0 && all.packed_column(3) == 8));
  all.value(3).at(4, 3) = 1;
  CHECK(all.values()[16 + 4 * 12 + 8 + 3] == 1);
  CHECK(parameters_type(context, {{2, 3}}).packed_value().cols == 0);
  CHECK_THROWS_WITH(parameters_type(context, {{5, 7, true}, {4, 7, true}}),
                    "parameters: parameter 1 has 4 rows, those that it is packed with have 5");
}

TEST_CASE("parameters name the one with a negative extent") {
  testing::host_context const context;
  CHECK_THROWS_WITH(parameters_type(context, {{2, 3}, {-1, 4}}), "parameters: parameter 1 has the shape [-1, 4]");
}

}  // namespace
}  // namespace edgewise::models
