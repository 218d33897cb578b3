#include "models/labelled_rows.hpp"

#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = labelled_rows<testing::host_context>;

TEST_CASE("labelled rows pair each listed row with its class") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{2, -1, 0, 1};
  std::vector<std::int32_t> const rows{3, 0};
  rows_type const subset(context, labels, rows, 3);
  REQUIRE(subset.size() == 2);
  CHECK(subset.num_rows() == 4);
  CHECK(subset.rows()[0] == 3);
  CHECK(subset.labels()[0] == 1);
  CHECK(subset.rows()[1] == 0);
  CHECK(subset.labels()[1] == 2);
}

TEST_CASE("labelled rows name the first row that cannot be used") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{2, -1, 0, 1};
  auto const make = [&](std::vector<std::int32_t> const& rows, std::int64_t num_classes) {
    rows_type(context, labels, rows, num_classes);
  };
  CHECK_THROWS_WITH(make({0, 4}, 3), "labelled_rows: rows[1] = 4, but there are 4 labels");
  CHECK_THROWS_WITH(make({-1}, 3), "labelled_rows: rows[0] = -1, but there are 4 labels");
  CHECK_THROWS_WITH(make({0, 2, 0}, 3), "labelled_rows: rows[2] = 0 is listed twice");
  CHECK_THROWS_WITH(make({2, 1}, 3), "labelled_rows: labels[1] = -1 (rows[1]), but there are 3 classes");
  CHECK_THROWS_WITH(make({0}, 2), "labelled_rows: labels[0] = 2 (rows[0]), but there are 2 classes");
}

}  // namespace
}  // namespace edgewise::models
