#include "models/activation.hpp"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

TEST_CASE("add_bias adds the bias to every row") {
  testing::host_context const context;
  auto x = testing::make_host_matrix<float>(context, 2, 3, {0, 1, 2, 3, 4, 5});
  auto const bias = testing::make_host_matrix<float>(context, 1, 3, {10, 20, 30});
  add_bias(context, bias.view(), x.view());
  CHECK(testing::elements_of(x.view()) == std::vector<float>{10, 21, 32, 13, 24, 35});
}

TEST_CASE("bias_relu_dropout is bias, rectifier and dropout one after another") {
  testing::host_context const context;
  testing::random_stream random("activation");
  random_state const state{9, 2};
  dropout_mask<float> const mask(&state, 1, 0.3);
  auto const bias = testing::random_host_matrix<float>(context, random, 1, 8);
  auto fused = testing::random_host_matrix<float>(context, random, 50, 8);
  auto expected = testing::make_host_matrix<float>(context, 50, 8, testing::elements_of(fused.view()));
  bias_relu_dropout(context, mask, bias.view(), fused.view());

  add_bias(context, bias.view(), expected.view());
  for (std::int64_t i = 0; i < expected.view().size(); ++i) {
    expected.view().data[i] = std::fmax(expected.view().data[i], 0.0F);
  }
  dropout(context, mask, expected.view(), expected.view());
  CHECK(testing::elements_of(fused.view()) == testing::elements_of(expected.view()));
}

TEST_CASE("the gradient passes where the rectifier is active and the element kept") {
  testing::host_context const context;
  random_state const state{9, 2};
  dropout_mask<double> const mask(&state, 1, 0.5);
  auto const y = testing::make_host_matrix<double>(context, 1, 4, {0, 2, 0, 5});
  auto dy = testing::make_host_matrix<double>(context, 1, 4, {1, 1, 7, -3});
  relu_dropout_backward(context, mask, y.view(), dy.view());
  CHECK(testing::elements_of(dy.view()) == std::vector<double>{0, 2, 0, -6});
}

TEST_CASE("the rectifier does not hide NaN") {
  testing::host_context const context;
  dropout_mask<float> const keep_all(nullptr, 0, 0.0);
  auto x = testing::make_host_matrix<float>(context, 1, 2, {NAN, -1});
  auto const bias = testing::make_host_matrix<float>(context, 1, 2, {0, 0});
  bias_relu_dropout(context, keep_all, bias.view(), x.view());
  CHECK(std::isnan(x.view().data[0]));
  CHECK(x.view().data[1] == 0);
}

TEST_CASE("activations name a bias of another width") {
  testing::host_context const context;
  auto x = testing::make_host_matrix<float>(context, 2, 3, std::vector<float>(6));
  auto const bias = testing::make_host_matrix<float>(context, 1, 2, {0, 0});
  dropout_mask<float> const keep_all(nullptr, 0, 0.0);
  CHECK_THROWS_WITH(add_bias(context, bias.view(), x.view()), "add_bias: bias is [1, 2], expected [1, 3]");
  CHECK_THROWS_WITH(bias_relu_dropout(context, keep_all, bias.view(), x.view()),
                    "bias_relu_dropout: bias is [1, 2], expected [1, 3]");
  CHECK_THROWS_WITH(relu_dropout_backward(context, keep_all, bias.view(), x.view()),
                    "relu_dropout_backward: y is [1, 2], expected [2, 3]");
}

}  // namespace
}  // namespace edgewise::models
