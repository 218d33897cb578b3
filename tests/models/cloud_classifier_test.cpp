#include "models/cloud_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

using model_type = models::cloud_classifier<double, host_context>;

/// Clouds of 9, 3, 0 and 12 points with random coordinates, labels and parameters.
struct cloud_problem {
  static constexpr int num_neighbors = 4, num_hidden = 5;
  std::vector<std::int32_t> const offsets{0, 9, 12, 12, 24};
  host_context context;
  model_type model;
  models::matrix<double, host_space> points;
  models::softmax_cross_entropy<double, host_context> loss;

  explicit cloud_problem(random_stream random)
      : model(context, offsets,
              {.num_neighbors = num_neighbors, .num_channels = 3, .num_hidden = num_hidden, .num_classes = 3}),
        points(random_host_matrix<double>(context, random, 24, 3)),
        loss(context, labels()) {
    for (std::size_t k = 0; k < model.all_parameters().count(); ++k) {
      auto const values = model.all_parameters().value(k);
      for (std::int64_t i = 0; i < values.size(); ++i) values.data[i] = random.uniform(-1, 1);
    }
  }
  models::labelled_rows<host_context> labels() const {
    std::vector<std::int32_t> const labels{0, 2, 0, 1}, rows{0, 1, 2, 3};
    return {context, labels, rows, 3};
  }
  double evaluate() {
    loss(context, model.forward(context, points.view()));
    return loss.loss(context);
  }
};

/// One layer of EdgeConv; parameters from `first`: Theta, Phi and the bias.
dense_rows edge_conv(std::vector<std::int32_t> const& offsets, dense_rows const& x, dense_parameters const& p,
                     std::size_t first) {
  dense_rows y = zeros(x.count(), p[first].width);
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
    for (int v = offsets[c]; v < offsets[c + 1]; ++v) {
      std::vector<std::pair<double, int>> by_distance;
      for (int u = offsets[c]; u < offsets[c + 1]; ++u) {
        double square = 0;
        for (int i = 0; i < x.width; ++i) square += (x.at(u, i) - x.at(v, i)) * (x.at(u, i) - x.at(v, i));
        by_distance.emplace_back(square, u);
      }
      std::sort(by_distance.begin(), by_distance.end());
      by_distance.resize(std::min<std::size_t>(by_distance.size(), cloud_problem::num_neighbors));
      for (int j = 0; j < y.width; ++j) {
        double largest = 0;  // of values behind a ReLU
        for (auto const& [square, u] : by_distance) {
          double message = p[first + 2].at(0, j);
          for (int i = 0; i < x.width; ++i) {
            message += (x.at(u, i) - x.at(v, i)) * p[first].at(i, j) + x.at(v, i) * p[first + 1].at(i, j);
          }
          largest = std::max(largest, message);
        }
        y.at(v, j) = largest;
      }
    }
  }
  return y;
}
dense_rows formula(std::vector<std::int32_t> const& offsets, dense_rows const& points, dense_parameters const& p) {
  dense_rows const h = edge_conv(offsets, edge_conv(offsets, points, p, 0), p, 3);
  dense_rows readout = zeros(static_cast<int>(offsets.size()) - 1, h.width);
  for (int c = 0; c < readout.count(); ++c) {
    for (int v = offsets[static_cast<std::size_t>(c)]; v < offsets[static_cast<std::size_t>(c) + 1]; ++v) {
      for (int i = 0; i < h.width; ++i) readout.at(c, i) = std::max(readout.at(c, i), h.at(v, i));
    }
  }
  return add(product(readout, p[6]), p[7], same);
}

TEST_CASE("EdgeConv of clouds: its formula and gradients", "[models]") {
  cloud_problem p(random_stream("clouds"));
  check_parameter_gradients(p);
  auto const logits = elements_of(p.model.forward(p.context, p.points.view()));
  auto const expected =
      formula(p.offsets, dense_rows{3, elements_of(p.points.view())}, read_parameters(p.model.all_parameters()));
  REQUIRE(logits.size() == expected.elements.size());
  for (std::size_t i = 0; i < logits.size(); ++i) CHECK(logits[i] == Approx(expected.elements[i]).epsilon(1e-9));
  auto const narrow = make_host_matrix<double>(p.context, 24, 2, std::vector<double>(48));
  CHECK_THROWS_WITH(p.model.forward(p.context, narrow.view()), "cloud_classifier: x is [24, 2], expected [24, 3]");
}

/// Points of a sphere, a square or a thin rod, the whole cloud shifted at random.
void draw_cloud(random_stream& random, int shape, int num_points, std::vector<double>& points) {
  double const shift[] = {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
  for (int v = 0; v < num_points; ++v) {
    double x[] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    double const length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + 1e-9;
    double const scales[3][3] = {{1 / length, 1 / length, 1 / length}, {1, 1, 0.05}, {0.1, 0.1, 1}};
    for (int i = 0; i < 3; ++i) points.push_back(x[i] * scales[shape][i] + shift[i]);
  }
}

TEST_CASE("EdgeConv of clouds: learns shapes that it has not seen before", "[models]") {
  constexpr int num_clouds = 30, num_points = 32;
  random_stream random("shapes");
  host_context const context;
  std::vector<std::int32_t> offsets{0}, labels, rows;
  std::vector<double> train, test;
  for (int c = 0; c < num_clouds; ++c) {
    offsets.push_back(offsets.back() + num_points);
    labels.push_back(c % 3);
    rows.push_back(c);
    draw_cloud(random, c % 3, num_points, train);
    draw_cloud(random, c % 3, num_points, test);
  }
  auto const train_points = make_host_matrix<double>(context, num_clouds * num_points, 3, train);
  auto const test_points = make_host_matrix<double>(context, num_clouds * num_points, 3, test);
  auto const losses_of = [&](int num_steps, double* accuracy_of_test) {
    model_type model(context, offsets, {.num_neighbors = 8, .num_hidden = 16, .num_classes = 3});
    model.initialize(context, 3);
    models::adam<double, host_context> optimizer(context, model.all_parameters().size(), {.learning_rate = 0.01});
    models::softmax_cross_entropy<double, host_context> loss(context, {context, labels, rows, 3});
    std::vector<double> losses;
    for (int step = 0; step < num_steps; ++step) {
      loss(context, model.forward(context, train_points.view()));
      model.backward(context, loss.gradient());
      optimizer.step(context, model.all_parameters());
      losses.push_back(loss.loss(context));
    }
    models::accuracy<double, host_context> accuracy(context, {context, labels, rows, 3});
    accuracy(context, model.forward(context, test_points.view()));
    *accuracy_of_test = accuracy.value(context);
    return losses;
  };
  double accuracy = 0, ignored = 0;
  auto const losses = losses_of(40, &accuracy);
  CHECK(accuracy >= 0.9);  // a guess is right on a third
  CHECK(losses.back() < 0.2 * losses.front());
  auto const again = losses_of(5, &ignored);
  CHECK(std::equal(again.begin(), again.end(), losses.begin()));
}

}  // namespace
}  // namespace edgewise::testing
