#include "models/sigmoid_cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = multi_labelled_rows<testing::host_context>;
template <class T>
using loss_type = sigmoid_cross_entropy<T, testing::host_context>;

constexpr int num_labels = 5;

// The definition in float64, term by term; logits of the test are small enough for it.
double naive_loss(std::vector<double> const& logits, std::vector<std::uint8_t> const& labels,
                  std::vector<std::int32_t> const& rows) {
  double loss = 0;
  for (std::int32_t row : rows) {
    for (int c = 0; c < num_labels; ++c) {
      double const probability = 1 / (1 + std::exp(-logits[row * num_labels + c]));
      loss -= labels[row * num_labels + c] == 1 ? std::log(probability) : std::log(1 - probability);
    }
  }
  return loss / static_cast<double>(rows.size() * num_labels);
}

TEST_CASE("sigmoid cross-entropy: equals its definition, and the gradient differences of it", "[models]") {
  testing::host_context const context;
  testing::random_stream random("sigmoid cross entropy");
  std::vector<std::int32_t> const rows{6, 0, 3};
  std::vector<std::uint8_t> labels;
  for (int k = 0; k < 7 * num_labels; ++k) labels.push_back(random.uniform(0, 1) < 0.4 ? 1 : 0);
  auto const logits = testing::random_host_matrix<double>(context, random, 7, num_labels);
  auto x = testing::elements_of(logits.view());
  loss_type<double> loss(context, rows_type(context, labels, rows, num_labels));
  for (double const scale : {6.0, -0.5}) {  // the second call must not see the first
    for (double& element : x) element *= scale;
    auto const scaled = testing::make_host_matrix<double>(context, 7, num_labels, x);
    loss(context, scaled.view());
    CHECK(loss.loss(context) == Approx(naive_loss(x, labels, rows)).epsilon(1e-12));
    for (std::size_t k = 0; k < x.size(); ++k) {
      double const step = 1e-6, value = x[k];
      x[k] = value + step;
      double const above = naive_loss(x, labels, rows);
      x[k] = value - step;
      double const below = naive_loss(x, labels, rows);
      x[k] = value;
      bool const is_listed = std::find(rows.begin(), rows.end(), static_cast<int>(k) / num_labels) != rows.end();
      CHECK(loss.gradient().data[k] == Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-9));
      CHECK((loss.gradient().data[k] != 0) == is_listed);
    }
  }
}

TEST_CASE("sigmoid cross-entropy: logits whose exponential overflows are no harm", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{1, 0, 1, 0};
  std::vector<std::int32_t> const rows{0};
  auto const logits = testing::make_host_matrix<float>(context, 1, 4, {1000, 1000, -1000, -1000});
  loss_type<float> loss(context, rows_type(context, labels, rows, 4));
  loss(context, logits.view());
  CHECK(loss.loss(context) == Approx(500));  // two of four are wrong by 1000
  CHECK(testing::elements_of(loss.gradient()) == std::vector<float>{0, 0.25F, -0.25F, 0});
  // Very sure and right is not 0 before the numbers end: log1p.
  auto const sure = testing::make_host_matrix<float>(context, 1, 4, {20, -20, 20, -20});
  loss(context, sure.view());
  CHECK(loss.loss(context) == Approx(std::exp(-20.0)).epsilon(1e-5));
}

TEST_CASE("sigmoid cross-entropy: needs rows, and logits of its shape", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{1, 0, 1, 0};
  std::vector<std::int32_t> const rows{0};
  CHECK_THROWS_WITH(loss_type<float>(context, rows_type(context, labels, {}, 2)),
                    "sigmoid_cross_entropy: the mean over no rows is not defined");
  loss_type<float> loss(context, rows_type(context, labels, rows, 2));
  auto const logits = testing::make_host_matrix<float>(context, 2, 3, std::vector<float>(6));
  CHECK_THROWS_WITH(loss(context, logits.view()), "sigmoid_cross_entropy: logits is [2, 3], expected [2, 2]");
}

}  // namespace
}  // namespace edgewise::models
