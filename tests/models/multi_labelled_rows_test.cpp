#include "models/multi_labelled_rows.hpp"

#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = multi_labelled_rows<testing::host_context>;

TEST_CASE("multi-labelled rows: the listed rows with their labels, in the order of the list", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{0, 1, 1, 1, 0, 0};
  std::vector<std::int32_t> const listed{2, 0};
  rows_type const rows(context, labels, listed, 2);
  CHECK(rows.size() == 2);
  CHECK(rows.num_rows() == 3);
  CHECK(rows.num_labels() == 2);
  CHECK(std::vector<std::int32_t>(rows.rows(), rows.rows() + 2) == listed);
  CHECK(std::vector<std::uint8_t>(rows.labels(), rows.labels() + 4) == std::vector<std::uint8_t>{0, 0, 0, 1});
}

TEST_CASE("multi-labelled rows: refusals name the place", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{0, 1, 1, 2, 0, 0};
  auto const made = [&](std::vector<std::int32_t> const& rows, std::int64_t num_labels) {
    return rows_type(context, labels, rows, num_labels);
  };
  CHECK_THROWS_WITH(made({0}, 4), "multi_labelled_rows: 6 elements are no rows of 4 labels");
  CHECK_THROWS_WITH(made({0}, 0), "multi_labelled_rows: 6 elements are no rows of 0 labels");
  CHECK_THROWS_WITH(made({0, 3}, 2), "multi_labelled_rows: rows[1] = 3, but there are 3 rows of labels");
  CHECK_THROWS_WITH(made({-1}, 2), "multi_labelled_rows: rows[0] = -1, but there are 3 rows of labels");
  CHECK_THROWS_WITH(made({2, 0, 2}, 2), "multi_labelled_rows: rows[2] = 2 is listed twice");
  CHECK_THROWS_WITH(made({0, 1}, 2), "multi_labelled_rows: labels[1, 1] = 2 (rows[1]), must be 0 or 1");
  CHECK(made({0, 2}, 2).size() == 2);
}

}  // namespace
}  // namespace edgewise::models
