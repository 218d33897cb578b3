#include "models/gemm.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

// Element (row, col) of op(x).
double element(matrix_view<double const, host_space> x, transpose op, std::int64_t row, std::int64_t col) {
  return op == transpose::yes ? x.data[col * x.cols + row] : x.data[row * x.cols + col];
}

TEST_CASE("gemm equals the sum of products for every transposition") {
  testing::host_context const context;
  testing::random_stream random("gemm");
  for (transpose op_a : {transpose::no, transpose::yes}) {
    for (transpose op_b : {transpose::no, transpose::yes}) {
      std::int64_t const m = 5, n = 7, k = 3;
      auto const a = op_a == transpose::no ? testing::random_host_matrix<double>(context, random, m, k)
                                           : testing::random_host_matrix<double>(context, random, k, m);
      auto const b = op_b == transpose::no ? testing::random_host_matrix<double>(context, random, k, n)
                                           : testing::random_host_matrix<double>(context, random, n, k);
      auto c = testing::make_host_matrix<double>(context, m, n, std::vector<double>(m * n, NAN));
      gemm(context, op_a, a.view(), op_b, b.view(), c.view());
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t col = 0; col < n; ++col) {
          double expected = 0;
          for (std::int64_t i = 0; i < k; ++i) {
            expected += element(a.view(), op_a, row, i) * element(b.view(), op_b, i, col);
          }
          CHECK(c.view().data[row * n + col] == Approx(expected).epsilon(1e-14).margin(1e-14));
        }
      }
    }
  }
}

TEST_CASE("gemm computes every row once and to the same bits, however many threads share them") {
  testing::random_stream random("gemm threads");
  testing::host_context const one_thread(cpu{.threads = 1});
  std::int64_t const m = 501, n = 13, k = 37;
  auto const b = testing::random_host_matrix<float>(one_thread, random, k, n);
  for (transpose op_a : {transpose::no, transpose::yes}) {
    auto const a = op_a == transpose::no ? testing::random_host_matrix<float>(one_thread, random, m, k)
                                         : testing::random_host_matrix<float>(one_thread, random, k, m);
    auto expected = testing::make_host_matrix<float>(one_thread, m, n, std::vector<float>(m * n, NAN));
    gemm(one_thread, op_a, a.view(), transpose::no, b.view(), expected.view());
    for (int threads : {2, 3, 200}) {
      testing::host_context const context(cpu{.threads = threads});
      auto c = testing::make_host_matrix<float>(context, m, n, std::vector<float>(m * n, NAN));
      gemm(context, op_a, a.view(), transpose::no, b.view(), c.view());
      REQUIRE(testing::elements_of(c.view()) == testing::elements_of(expected.view()));
    }
  }
}

TEST_CASE("gemm over no inner extent is zero and of nothing is nothing") {
  testing::host_context const context;
  auto const a = testing::make_host_matrix<float>(context, 2, 0, {});
  auto const b = testing::make_host_matrix<float>(context, 0, 2, {});
  auto c = testing::make_host_matrix<float>(context, 2, 2, {NAN, NAN, NAN, NAN});
  gemm(context, transpose::no, a.view(), transpose::no, b.view(), c.view());
  CHECK(testing::elements_of(c.view()) == std::vector<float>{0, 0, 0, 0});

  auto nothing = testing::make_host_matrix<float>(context, 0, 0, {});
  CHECK_NOTHROW(gemm(context, transpose::no, b.view(), transpose::no, a.view(), nothing.view()));
}

TEST_CASE("gemm names the shapes that do not fit") {
  testing::host_context const context;
  auto const a = testing::make_host_matrix<float>(context, 2, 3, std::vector<float>(6));
  auto c = testing::make_host_matrix<float>(context, 2, 2, std::vector<float>(4));
  CHECK_THROWS_WITH(gemm(context, transpose::no, a.view(), transpose::no, a.view(), c.view()),
                    "gemm: op(a) is [2, 3], op(b) is [2, 3]: the inner extents differ");
  CHECK_THROWS_WITH(gemm(context, transpose::yes, a.view(), transpose::no, a.view(), c.view()),
                    "gemm: c is [2, 2], expected [3, 3]");
}

}  // namespace
}  // namespace edgewise::models
