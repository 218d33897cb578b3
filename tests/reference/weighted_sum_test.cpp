#include "weighted_sum.hpp"

#include "support/catch.hpp"

#include "../support/graphs.hpp"

using namespace edgewise::reference;
using edgewise::testing::battery;
using edgewise::testing::compare;
using edgewise::testing::make_test_graph;
using edgewise::testing::uniform_values;

TEST_CASE("reference weighted sum: numbers done by hand", "[reference]") {
  auto const graph = make_test_graph("example", 2, 3, {{1, 2}, {0, 0}, {1, 0}});
  std::vector<double> const features{1, 2, 3, 4, -5, 6, -7, 8};  // [2, 2, 2]
  using numbers = std::vector<double>;
  CHECK(reference_weighted_sum(graph, 2, 2, weight_kind::per_row, {10, 100, 1000}, features).value ==
        numbers{100 - 5000, 200 + 6000, 300 - 7000, 400 + 8000, 0, 0, 0, 0, -50, 60, -70, 80});
  CHECK(reference_weighted_sum(graph, 2, 2, weight_kind::per_head, {10, 20, 1, 2, 3, 4}, features).value ==
        numbers{1 - 15, 2 + 18, 6 - 28, 8 + 32, 0, 0, 0, 0, -50, 60, -140, 160});
  auto const wide =
      reference_weighted_sum(graph, 2, 2, weight_kind::wide, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, features);
  CHECK(wide.value == numbers{5 - 45, 12 + 60, 21 - 77, 32 + 96, 0, 0, 0, 0, -5, 12, -21, 32});
  CHECK(wide.scale == numbers{5 + 45, 12 + 60, 21 + 77, 32 + 96, 0, 0, 0, 0, 5, 12, 21, 32});
  CHECK(wide.terms == numbers{2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("reference weighted sum: agrees with the generic gather", "[reference]") {
  edgewise::testing::random_stream random("reference weighted sum");
  int const heads = 2, channels = 3, width = heads * channels;
  auto const kind = GENERATE(weight_kind::per_row, weight_kind::per_head, weight_kind::wide);
  auto const per_edge = weights_per_edge(kind, heads, channels);
  for (auto const& graph : battery()) {
    INFO(graph.name);
    auto const weight = uniform_values<double>(graph.num_edges() * per_edge, random);
    auto const features = uniform_values<double>(graph.num_sources * width, random);
    auto message = [&](int source, int, int edge, int head, int channel) {
      std::size_t const within =
          per_edge == 1 ? 0 : (per_edge == std::size_t{heads} ? head : head * channels + channel);
      return weight[edge * per_edge + within] * features[source * width + head * channels + channel];
    };
    auto const expected = reference_gather(graph, gather_kind::sum, heads, channels, message).out;
    auto const actual = reference_weighted_sum(graph, heads, channels, kind, weight, features);
    CHECK(compare(actual.value, expected));
    CHECK(actual.terms == expected.terms);
  }
}

TEST_CASE("reference weighted sum: wrong sizes are named", "[reference]") {
  auto const graph = make_test_graph("example", 2, 3, {{1, 2}, {0, 0}, {1, 0}});
  std::vector<double> const features(8);
  CHECK_THROWS_WITH(reference_weighted_sum(graph, 2, 2, weight_kind::per_head, {1, 2, 3}, features),
                    Catch::Contains("weight has 3 elements, expected 6"));
  CHECK_THROWS_AS(reference_weighted_sum(graph, 2, 2, weight_kind::per_row, {1, 2, 3}, {1, 2}),
                  edgewise::invalid_argument);
}
