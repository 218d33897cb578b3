#include "models/column_sum.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

TEST_CASE("column sums equal float64 sums, whatever the number of blocks") {
  testing::host_context const context;
  testing::random_stream random("column_sum");
  for (std::int64_t rows : {0, 1, 31, 32, 33, 1023, 1024, 5000}) {
    for (std::int64_t cols : {1, 7}) {
      auto const x = testing::random_host_matrix<float>(context, random, rows, cols);
      auto sums = testing::make_host_matrix<float>(context, 1, cols, std::vector<float>(cols, NAN));
      column_sum<float, testing::host_context> sum(context, rows, cols);
      sum(context, x.view(), sums.view());
      for (std::int64_t col = 0; col < cols; ++col) {
        double expected = 0;
        for (std::int64_t row = 0; row < rows; ++row) expected += x.view().data[row * cols + col];
        CHECK(sums.view().data[col] == Approx(expected).margin(1e-6 * static_cast<double>(rows)));
      }
    }
  }
}

TEST_CASE("column sums have the same bits on any number of threads") {
  testing::random_stream random("column_sum threads");
  std::vector<std::vector<float>> results;
  testing::host_context const one_thread(cpu{.threads = 1});
  auto const x = testing::random_host_matrix<float>(one_thread, random, 30000, 33);
  for (int threads : {1, 2, 5}) {
    testing::host_context const context(cpu{.threads = threads});
    auto sums = testing::make_host_matrix<float>(context, 1, 33, std::vector<float>(33, NAN));
    column_sum<float, testing::host_context> sum(context, 30000, 33);
    sum(context, x.view(), sums.view());
    results.push_back(testing::elements_of(sums.view()));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("a column sum is for one shape") {
  testing::host_context const context;
  column_sum<float, testing::host_context> sum(context, 4, 2);
  auto const x = testing::make_host_matrix<float>(context, 5, 2, std::vector<float>(10));
  auto sums = testing::make_host_matrix<float>(context, 1, 2, {0, 0});
  CHECK_THROWS_WITH(sum(context, x.view(), sums.view()), "column_sum: x is [5, 2], expected [4, 2]");
}

}  // namespace
}  // namespace edgewise::models
