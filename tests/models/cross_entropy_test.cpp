#include "models/cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = labelled_rows<testing::host_context>;
template <class T>
using loss_type = softmax_cross_entropy<T, testing::host_context>;

// The definition in float64, term by term; logits of the test are small enough for it.
double naive_loss(std::vector<float> const& logits, int num_classes, std::vector<std::int32_t> const& labels,
                  std::vector<std::int32_t> const& rows) {
  double loss = 0;
  for (std::int32_t row : rows) {
    double normalizer = 0;
    for (int c = 0; c < num_classes; ++c) normalizer += std::exp(static_cast<double>(logits[row * num_classes + c]));
    loss -= std::log(std::exp(static_cast<double>(logits[row * num_classes + labels[row]])) / normalizer);
  }
  return loss / static_cast<double>(rows.size());
}

double naive_gradient(std::vector<float> const& logits, int num_classes, std::vector<std::int32_t> const& labels,
                      std::vector<std::int32_t> const& rows, std::int32_t row, int c) {
  if (std::find(rows.begin(), rows.end(), row) == rows.end()) return 0;
  double normalizer = 0;
  for (int k = 0; k < num_classes; ++k) normalizer += std::exp(static_cast<double>(logits[row * num_classes + k]));
  double const probability = std::exp(static_cast<double>(logits[row * num_classes + c])) / normalizer;
  return (probability - (labels[row] == c ? 1.0 : 0.0)) / static_cast<double>(rows.size());
}

TEST_CASE("cross-entropy and its gradient equal float64, and unlisted rows have none") {
  testing::host_context const context;
  testing::random_stream random("cross entropy");
  std::vector<std::int32_t> const labels{0, 3, -1, 1, 2, 2, 0, -1, 3};
  std::vector<std::int32_t> const rows{8, 0, 3, 4};
  auto logits = testing::random_host_matrix<float>(context, random, 9, 4);
  for (std::int64_t i = 0; i < logits.view().size(); ++i) logits.view().data[i] *= 8;
  loss_type<float> loss(context, rows_type(context, labels, rows, 4));

  for (int repeat = 0; repeat < 2; ++repeat) {  // the second call must not see the first
    loss(context, logits.view());
    auto const x = testing::elements_of(logits.view());
    CHECK(loss.loss(context) == Approx(naive_loss(x, 4, labels, rows)).epsilon(1e-6));
    for (int row = 0; row < 9; ++row) {
      for (int c = 0; c < 4; ++c) {
        double const expected = naive_gradient(x, 4, labels, rows, row, c);
        CHECK(loss.gradient().data[row * 4 + c] == Approx(expected).epsilon(1e-6).margin(1e-7));
      }
    }
    for (std::int64_t i = 0; i < logits.view().size(); ++i) logits.view().data[i] *= -0.5F;
  }
}

TEST_CASE("cross-entropy survives logits whose exponential overflows") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{0, 1};
  std::vector<std::int32_t> const rows{0, 1};
  auto const logits = testing::make_host_matrix<float>(context, 2, 2, {1000, 0, 1000, 0});
  loss_type<float> loss(context, rows_type(context, labels, rows, 2));
  loss(context, logits.view());
  CHECK(loss.loss(context) == Approx(500));
  CHECK(testing::elements_of(loss.gradient()) == std::vector<float>{0, 0, 0.5F, -0.5F});
}

TEST_CASE("cross-entropy needs rows and logits of its shape") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{0, 1};
  std::vector<std::int32_t> const rows{0};
  CHECK_THROWS_WITH(loss_type<float>(context, rows_type(context, labels, {}, 2)),
                    "softmax_cross_entropy: the mean over no rows is not defined");
  loss_type<float> loss(context, rows_type(context, labels, rows, 2));
  auto const logits = testing::make_host_matrix<float>(context, 2, 3, std::vector<float>(6));
  CHECK_THROWS_WITH(loss(context, logits.view()), "softmax_cross_entropy: logits is [2, 3], expected [2, 2]");
}

}  // namespace
}  // namespace edgewise::models
