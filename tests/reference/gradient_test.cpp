#include "gradient.hpp"

#include "support/catch.hpp"

#include "../support/graphs.hpp"
#include "finite_difference.hpp"
#include "softmax_sum.hpp"

namespace {

using namespace edgewise::reference;
using edgewise::testing::battery;
using edgewise::testing::compare;
using edgewise::testing::make_test_graph;
using edgewise::testing::random_stream;
using edgewise::testing::small_battery;
using edgewise::testing::uniform_values;

constexpr int heads = 2;
constexpr int channels = 3;

operands values_of(std::vector<expected_values> const& gradients) {
  operands values;
  for (auto const& gradient : gradients) values.push_back(gradient.value);
  return values;
}

std::size_t wide(int row, int head, int channel) {
  return (static_cast<std::size_t>(row) * heads + head) * channels + channel;
}
std::size_t per_head(int row, int head) { return static_cast<std::size_t>(row) * heads + head; }

/// edge<w> * src<h> + tanh(dst<k>): operands w [E, H], h [S, H, L], k [D, H, L].
auto const message = [](auto const& read, int source, int destination, int edge, int head, int channel) {
  return read(0, per_head(edge, head)) * read(1, wide(source, head, channel)) +
         tanh(read(2, wide(destination, head, channel)));
};

operands message_operands(test_graph const& graph, random_stream& random) {
  return {uniform_values<double>(graph.num_edges() * heads, random),
          uniform_values<double>(graph.num_sources * heads * channels, random),
          uniform_values<double>(graph.num_destinations * heads * channels, random)};
}

/// leaky_relu(src<el> + dst<er>) and src<h>: operands el [S, H], er [D, H], h [S, H, L].
auto const score = [](auto const& read, int source, int destination, int, int head) {
  return leaky_relu(read(0, per_head(source, head)) + read(1, per_head(destination, head)), 0.2);
};
auto const value = [](auto const& read, int source, int, int, int head, int channel) {
  return read(2, wide(source, head, channel));
};

operands attention_operands(test_graph const& graph, random_stream& random) {
  return {uniform_values<double>(graph.num_sources * heads, random, -2, 2),
          uniform_values<double>(graph.num_destinations * heads, random, -2, 2),
          uniform_values<double>(graph.num_sources * heads * channels, random)};
}

/// The gradient by edge messages of one row of a gather, on a graph with these messages.
std::vector<double> gradient_of_row(gather_kind kind, std::vector<double> const& messages, double epsilon = 1e-5) {
  edgewise::testing::edge_list const edges(messages.size(), {0, 0});
  auto const graph = make_test_graph("row", 1, 1, edges);
  auto edge_value = [](auto const& read, int, int, int edge, int, int) { return read(0, edge); };
  return reference_gradient(graph, kind, 1, 1, {messages}, edge_value, {10.0}, epsilon)[0].value;
}

}  // namespace

TEST_CASE("reference gradient: numbers done by hand", "[reference]") {
  using numbers = std::vector<double>;
  CHECK(gradient_of_row(gather_kind::sum, {1, 2, 3, 4}) == numbers{10, 10, 10, 10});
  CHECK(gradient_of_row(gather_kind::mean, {1, 2, 3, 4}) == numbers{2.5, 2.5, 2.5, 2.5});
  CHECK(gradient_of_row(gather_kind::prod, {1, 2, 3, 4}) == numbers{240, 120, 80, 60});
  CHECK(gradient_of_row(gather_kind::prod, {5, 0, 3}) == numbers{0, 150, 0});
  CHECK(gradient_of_row(gather_kind::prod, {5, 0, 3, 0}) == numbers{0, 0, 0, 0});
  CHECK(gradient_of_row(gather_kind::max, {1, 4, 3, 4}) == numbers{0, 10, 0, 0});
  CHECK(gradient_of_row(gather_kind::min, {4, 1, 1, 3}) == numbers{0, 10, 0, 0});
  auto const deviation = gradient_of_row(gather_kind::stddev, {-3, 5}, 0);  // mean 1, variance 16
  CHECK(deviation[0] == Approx(10 * -4.0 / (2 * 4)));
  CHECK(deviation[1] == Approx(10 * 4.0 / (2 * 4)));
}

TEST_CASE("reference gradient: standard deviation has gradient 0 at variance 0", "[reference]") {
  for (double epsilon : {0.0, 1e-5}) {
    CHECK(gradient_of_row(gather_kind::stddev, {0.5, 0.5, 0.5}, epsilon) == std::vector<double>{0, 0, 0});
    CHECK(gradient_of_row(gather_kind::stddev, {0.3}, epsilon) == std::vector<double>{0});
  }
}

TEST_CASE("reference gradient: follows difference quotients for every gather", "[reference]") {
  random_stream random("reference gradient");
  auto const kind = GENERATE(gather_kind::sum, gather_kind::mean, gather_kind::max, gather_kind::min, gather_kind::prod,
                             gather_kind::stddev);
  for (auto const& graph : small_battery(250)) {
    INFO(graph.name << ' ' << name_of(kind));
    auto const g = uniform_values<double>(graph.num_destinations * heads * channels, random);
    // A row of one edge has variance 0, where sqrt(variance + 1e-5) bends within one step of difference quotients.
    double const epsilon = 0.1;
    auto forward = [&](operands const& x) {
      return reference_gather(graph, kind, heads, channels, with_values(x, message), epsilon).out.value;
    };
    operands inputs, gradients;
    adjoint_identity identity;
    for (int attempt = 0; attempt < 4; ++attempt) {  // max and min may be drawn within a step of a tie
      inputs = message_operands(graph, random);
      gradients = values_of(reference_gradient(graph, kind, heads, channels, inputs, message, g, epsilon));
      identity = check_adjoint(forward, inputs, gradients, g, random);
      if (identity.is_conclusive()) break;
    }
    INFO(identity);
    CHECK(identity);
    auto const check = check_gradient(forward, inputs, gradients, g, random, {.max_elements = 12});
    INFO(check);
    CHECK(check);
  }
}

TEST_CASE("reference gradient: follows difference quotients for attention", "[reference]") {
  random_stream random("reference gradient: attention");
  for (auto const& graph : small_battery(250)) {
    INFO(graph.name);
    auto const inputs = attention_operands(graph, random);
    auto const g = uniform_values<double>(graph.num_destinations * heads * channels, random);
    auto forward = [&](operands const& x) {
      return reference_softmax_sum(graph, heads, channels, with_values(x, score), with_values(x, value)).out.value;
    };
    auto const gradients = values_of(reference_softmax_gradient(graph, heads, channels, inputs, score, value, g));
    auto const check = check_gradient(forward, inputs, gradients, g, random, {.max_elements = 12});
    INFO(check);
    CHECK(check);
    auto const identity = check_adjoint(forward, inputs, gradients, g, random);
    INFO(identity);
    CHECK(identity);
  }
}

TEST_CASE("reference gradient: the adjoint identity holds on the whole battery", "[reference]") {
  random_stream random("reference gradient: battery");
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const inputs = attention_operands(graph, random);
    auto const g = uniform_values<double>(graph.num_destinations * heads * channels, random);
    auto forward = [&](operands const& x) {
      return reference_softmax_sum(graph, heads, channels, with_values(x, score), with_values(x, value)).out.value;
    };
    auto gradients = values_of(reference_softmax_gradient(graph, heads, channels, inputs, score, value, g));
    CHECK(check_adjoint(forward, inputs, gradients, g, random));
    if (graph.num_edges() == 0) continue;
    for (double& x : gradients[2]) x *= 1.01;
    CHECK_FALSE(check_adjoint(forward, inputs, gradients, g, random));
  }
}

TEST_CASE("reference gradient: masked edges get none", "[reference]") {
  auto const graph = make_test_graph("masked", 1, 1, {{0, 0}, {0, 0}, {0, 0}});
  operands const inputs{{0, -std::numeric_limits<double>::infinity(), 1}, {2, 3, 5}};
  auto edge_score = [](auto const& read, int, int, int edge, int) { return read(0, edge); };
  auto edge_value = [](auto const& read, int, int, int edge, int, int) { return read(1, edge); };
  auto const gradients = reference_softmax_gradient(graph, 1, 1, inputs, edge_score, edge_value, {1.0});
  double const p = 1 / (1 + std::exp(1.0));
  CHECK(gradients[1].value[0] == Approx(p));
  CHECK(gradients[1].value[1] == 0);
  CHECK(gradients[0].value[0] == Approx(p * (1 - p) * (2 - 5)));
  CHECK(gradients[0].value[1] == 0);
  CHECK(gradients[0].value[2] == Approx(-gradients[0].value[0]));
}

TEST_CASE("reference gradient: its tolerance accepts float and flags a missing edge", "[reference]") {
  random_stream random("reference gradient: float");
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const w = uniform_values<float>(graph.num_edges(), random, 0.5, 1);
    auto const h = uniform_values<float>(graph.num_sources, random, 0.5, 1);
    auto const g = uniform_values<float>(graph.num_destinations, random, 0.5, 1);
    auto weighted = [](auto const& read, int source, int, int edge, int, int) {
      return read(0, edge) * read(1, source);
    };
    auto const expected = reference_gradient(graph, gather_kind::sum, 1, 1,
                                             {edgewise::testing::widened(w), edgewise::testing::widened(h)}, weighted,
                                             edgewise::testing::widened(g));
    std::vector<float> w_grad(w.size()), h_grad(h.size());
    for (int k = 0; k < graph.num_edges(); ++k) {
      w_grad[k] = g[graph.destinations[k]] * h[graph.sources[k]];
      h_grad[graph.sources[k]] += g[graph.destinations[k]] * w[k];
    }
    CHECK(compare(w_grad, expected[0]));
    CHECK(compare(h_grad, expected[1]));
    if (graph.num_edges() == 0) continue;
    h_grad[graph.sources[0]] -= g[graph.destinations[0]] * w[0];
    CHECK(compare(h_grad, expected[1]).num_bad == 1);
  }
}

TEST_CASE("reference gradient: sizes that do not fit are errors of the test", "[reference]") {
  auto const graph = make_test_graph("pair", 2, 2, {{0, 1}});
  random_stream random("reference gradient: sizes");
  auto const inputs = message_operands(graph, random);
  CHECK_THROWS_WITH(reference_gradient(graph, gather_kind::sum, heads, channels, inputs, message, {1, 2}),
                    Catch::Contains("grad_out has 2 elements, the output has 12"));
  operands const too_few{inputs[0], {}, inputs[2]};
  CHECK_THROWS_AS(
      reference_gradient(graph, gather_kind::sum, heads, channels, too_few, message, std::vector<double>(12)),
      std::out_of_range);
}
