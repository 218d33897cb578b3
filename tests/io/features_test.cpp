#include <edgewise/io/features.hpp>

#include <span>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"

namespace edgewise {
namespace {

template <class T>
host_buffer<T> array(std::vector<T> const& values) {
  return copy_of(std::span<T const>(values));
}

/// Rows {1, 0, 3}, {0, 0, 0} and {-1, 1, 0}, the last of which sums to 0; entry (0, 2) in two parts.
sparse_features sample() {
  return {3, 3, array<std::int64_t>({0, 3, 3, 5}), array<std::int32_t>({2, 0, 2, 0, 1}),
          array<float>({2, 1, 1, -1, 1})};
}

TEST_CASE("sparse features written out") {
  auto const dense = to_dense(sample());
  CHECK(dense.num_rows == 3);
  CHECK(dense.num_columns == 3);
  CHECK(std::vector<float>(dense.values.begin(), dense.values.end()) == std::vector<float>{1, 0, 3, 0, 0, 0, -1, 1, 0});
}

TEST_CASE("rows are scaled to sum 1, rows that sum to 0 are left") {
  auto sparse = sample();
  auto dense = to_dense(sparse);
  normalize_rows(sparse);
  normalize_rows(dense);
  std::vector<float> const expected{0.25f, 0, 0.75f, 0, 0, 0, -1, 1, 0};
  CHECK(std::vector<float>(dense.values.begin(), dense.values.end()) == expected);
  auto const written_out = to_dense(sparse);
  CHECK(std::vector<float>(written_out.values.begin(), written_out.values.end()) == expected);
}

TEST_CASE("features without rows or columns") {
  sparse_features none{0, 5, array<std::int64_t>({0}), {}, {}};
  normalize_rows(none);
  CHECK(to_dense(none).values.empty());
  dense_features empty{4, 0, {}};
  normalize_rows(empty);
  CHECK(empty.values.empty());
}

TEST_CASE("features whose size overflows are not written out") {
  sparse_features wide{3, std::int64_t{1} << 62, array<std::int64_t>({0, 0, 0, 0}), {}, {}};
  CHECK(testing::message_of<invalid_argument>([&] { to_dense(wide); }) ==
        "to_dense: 3 rows of 4611686018427387904 columns are more than memory can have");
}

}  // namespace
}  // namespace edgewise
