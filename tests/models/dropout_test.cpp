#include "models/dropout.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

// Dropout of a row of ones: 0 where dropped, the scale where kept.
std::vector<float> masked_ones(random_state state, std::uint32_t layer, double probability, std::int64_t size) {
  testing::host_context const context;
  auto x = testing::make_host_matrix<float>(context, 1, size, std::vector<float>(size, 1.0F));
  dropout(context, dropout_mask<float>(&state, layer, probability), x.view(), x.view());
  return testing::elements_of(x.view());
}

double kept_share(std::vector<float> const& x) {
  double kept = 0;
  for (float element : x) kept += element != 0.0F;
  return kept / static_cast<double>(x.size());
}

TEST_CASE("dropout keeps its share and scales the kept") {
  constexpr std::int64_t size = 200000;
  for (double probability : {0.1, 0.5, 0.9}) {
    auto const x = masked_ones({11, 0}, 0, probability, size);
    // Five standard deviations of a binomial share.
    double const margin = 5 * std::sqrt(probability * (1 - probability) / size);
    CHECK(kept_share(x) == Approx(1 - probability).margin(margin));
    for (float element : x) {
      if (element != 0.0F) REQUIRE(element == static_cast<float>(1 / (1 - probability)));
    }
  }
}

TEST_CASE("neighbouring elements and successive steps are dropped independently") {
  constexpr std::int64_t size = 200000;
  auto const now = masked_ones({11, 0}, 0, 0.5, size);
  auto const next = masked_ones({11, 1}, 0, 0.5, size);
  auto const other_layer = masked_ones({11, 0}, 1, 0.5, size);
  std::vector<float> both_neighbours, both_steps, both_layers;
  for (std::size_t i = 0; i + 1 < now.size(); ++i) {
    both_neighbours.push_back(now[i] * now[i + 1]);
    both_steps.push_back(now[i] * next[i]);
    both_layers.push_back(now[i] * other_layer[i]);
  }
  double const margin = 5 * std::sqrt(0.25 * 0.75 / size);
  CHECK(kept_share(both_neighbours) == Approx(0.25).margin(2 * margin));  // neighbouring pairs overlap
  CHECK(kept_share(both_steps) == Approx(0.25).margin(margin));
  CHECK(kept_share(both_layers) == Approx(0.25).margin(margin));
}

TEST_CASE("dropout repeats for the same key and on any number of threads") {
  CHECK(masked_ones({3, 5}, 2, 0.5, 100000) == masked_ones({3, 5}, 2, 0.5, 100000));
  CHECK(masked_ones({3, 5}, 2, 0.5, 1000) != masked_ones({4, 5}, 2, 0.5, 1000));

  random_state state{3, 5};
  for (int threads : {1, 3}) {
    testing::host_context const context(cpu{.threads = threads});
    auto x = testing::make_host_matrix<float>(context, 1, 100000, std::vector<float>(100000, 1.0F));
    dropout(context, dropout_mask<float>(&state, 2, 0.5), x.view(), x.view());
    CHECK(testing::elements_of(x.view()) == masked_ones({3, 5}, 2, 0.5, 100000));
  }
}

TEST_CASE("dropout of probability 0 is the identity, to the bit, and reads no state") {
  testing::host_context const context;
  testing::random_stream random("dropout identity");
  auto const x = testing::random_host_matrix<float>(context, random, 17, 9);
  auto y = testing::make_host_matrix<float>(context, 17, 9, std::vector<float>(17 * 9, NAN));
  dropout(context, dropout_mask<float>(nullptr, 0, 0.0), x.view(), y.view());
  CHECK(testing::elements_of(y.view()) == testing::elements_of(x.view()));
}

TEST_CASE("dropout refuses a probability outside [0, 1) and another shape") {
  random_state const state{0, 0};
  CHECK_THROWS_WITH(dropout_mask<float>(&state, 0, 1.0), "dropout: probability = 1 is not in [0, 1)");
  CHECK_THROWS_AS(dropout_mask<float>(&state, 0, -0.1), invalid_argument);
  CHECK_THROWS_AS(dropout_mask<float>(&state, 0, std::nan("")), invalid_argument);

  testing::host_context const context;
  auto const x = testing::make_host_matrix<float>(context, 2, 3, std::vector<float>(6));
  auto y = testing::make_host_matrix<float>(context, 3, 2, std::vector<float>(6));
  CHECK_THROWS_WITH(dropout(context, dropout_mask<float>(&state, 0, 0.5), x.view(), y.view()),
                    "dropout: y is [3, 2], expected [2, 3]");
}

}  // namespace
}  // namespace edgewise::models
