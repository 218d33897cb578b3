// How many launches each call takes: the promises of docs/design.md, counted.
#include "launch_count_device_test.hpp"

#include "support/catch.hpp"

#include "support/device.hpp"
#include "support/graphs.hpp"

using namespace edgewise::testing;

namespace {

/// Rows of 150 neighbors each, in order, which partitions cut.
test_graph long_ascending_rows() {
  edge_list edges;
  for (int v = 0; v < 600; ++v) {
    for (int k = 0; k < 150; ++k) edges.push_back({4 * k + v % 4, v});
  }
  return make_test_graph("long ascending rows", 600, 600, edges);
}

constexpr launch_count one_traversal{.traversals = 1};
constexpr launch_count two_traversals{.traversals = 2};
constexpr launch_count vertices_and_one{.traversals = 1, .vertex_stages = 1};

/// Rows of one tile and of two, with rows of 5000 edges that are cut.
template <class Count>
void for_some(Count const& count) {
  for (auto const& graph : {directed(), one_hub()}) {
    for (int const channels : {32, 384}) {
      INFO(graph.name << ", " << channels << " channels");
      count(graph, channels);
    }
  }
}

}  // namespace

TEST_CASE("launches: a forward pass takes one, cut rows included", "[plan][gpu]") {
  skip_without_cuda_device();
  for_some([](test_graph const& graph, int channels) {
    auto const sum = count_sum_of_products(graph, channels);
    CHECK(sum.at("inference") == one_traversal);
    CHECK(sum.at("forward") == one_traversal);
    auto const others = count_mean_and_max(graph, channels);
    CHECK(others.at("mean") == one_traversal);
    CHECK(others.at("max") == one_traversal);
    CHECK(count_layer(graph, channels).at("forward") == one_traversal);
  });
  CHECK(count_attention(one_hub(), 64).at("forward") == one_traversal);
}

TEST_CASE("launches: gradients of edges ride on a traversal that runs anyway", "[plan][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : {directed(), one_hub()}) {
    auto const sum = count_sum_of_products(graph, 64);
    for (char const* one : {"h", "d", "w", "h w", "d w"}) {
      INFO(one);
      CHECK(sum.at(one) == one_traversal);
    }
    CHECK(sum.at("h d w") == two_traversals);
  }
}

TEST_CASE("launches: a vertex stage runs only where it has something to do", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const graph = one_hub();
  CHECK(count_mean_and_max(graph, 32).at("mean h") == vertices_and_one);  // prepares gradient / degree
  // rows of few edges: a traversal; of many: along argument edges, none is walked
  CHECK(count_mean_and_max(one_hub(2000), 32).at("max h") == one_traversal);
  CHECK(count_mean_and_max(graph, 32).at("max h") == launch_count{.other_kernels = 3});
  CHECK(count_mean_and_max(random_skewed(60, 3000), 32).at("max h") == launch_count{.other_kernels = 3});
  auto const layer = count_layer(graph, 32);
  CHECK(layer.at("h") == vertices_and_one);
  CHECK(layer.at("b") == launch_count{.vertex_stages = 1, .folds = 1});  // no edge is walked for a bias
  CHECK(layer.at("h b") == launch_count{.traversals = 1, .vertex_stages = 1, .folds = 1});
  auto const attention = count_attention(graph, 64);
  CHECK(attention.at("r") == vertices_and_one);
  // the traversal by destination prepares what the one by source reads
  CHECK(attention.at("a l r") == launch_count{.traversals = 2, .folds = 1});
}

TEST_CASE("launches: GCN takes one each way, GAT one and two, cut rows included", "[plan][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : {directed(), one_hub()}) {
    INFO(graph.name);
    auto const gcn = count_gcn(graph);
    CHECK(gcn.at("forward") == one_traversal);
    CHECK(gcn.at("h") == one_traversal);
    auto const gat = count_gat(graph);
    CHECK(gat.at("forward") == one_traversal);
    CHECK(gat.at("l r h") == two_traversals);
  }
}

TEST_CASE("launches: partitions prepare what edges read before all of them", "[plan][gpu]") {
  skip_without_cuda_device();
  // Of each launch the rows would read the whole output again.
  auto const counts = count_partitioned_gat(long_ascending_rows());
  int const parts = counts.at("forward").traversals;
  CHECK(parts > 1);
  CHECK(counts.at("r") == launch_count{.traversals = parts, .vertex_stages = 1});
}

TEST_CASE("launches: normalisation takes one for factors of vertices, two for weights of edges", "[plan][gpu]") {
  skip_without_cuda_device();
  // the others take and give back the memory of two factors, and of weights
  for (auto const& graph : {directed(), one_hub()}) {
    INFO(graph.name);
    auto const gcn = count_gcn(graph);
    CHECK(gcn.at("factors") == launch_count{.other_kernels = 1, .others = 4});
    CHECK(gcn.at("weights") == launch_count{.other_kernels = 2, .others = 6});
  }
  CHECK(count_gcn(no_edges(9)).at("weights") == launch_count{.other_kernels = 1, .others = 4});
  CHECK(count_gcn(no_vertices()).at("weights") == launch_count{});
}

TEST_CASE("launches: values of edges take one, and one more to know their rows", "[plan][gpu]") {
  skip_without_cuda_device();
  for_some([](test_graph const& graph, int channels) {
    auto const counts = count_edges(graph, channels);
    CHECK(counts.at("dot") == one_traversal);
    CHECK(counts.at("dot l") == one_traversal);
    CHECK(counts.at("dot l r") == two_traversals);
    CHECK(counts.at("contracted dot") == launch_count{.traversals = channels > 128 ? channels / 128 : 1});
    CHECK(counts.at("contracted dot l r") == two_traversals);
    CHECK(counts.at("softmax") == two_traversals);
    CHECK(counts.at("softmax l") == two_traversals);
    CHECK(counts.at("softmax l r") == launch_count{.traversals = 3});
    CHECK(counts.at("coo softmax") == launch_count{.traversals = 3, .clears = 1});
    CHECK(counts.at("coo softmax l r") == launch_count{.traversals = 2, .clears = 3});
  });
}

TEST_CASE("launches: scattering takes one traversal for all gradients", "[plan][gpu]") {
  skip_without_cuda_device();
  for_some([](test_graph const& graph, int channels) {
    auto const counts = count_scatter(graph, channels);
    CHECK(counts.at("forward") == launch_count{.traversals = 1, .clears = 1});
    CHECK(counts.at("w") == one_traversal);
    CHECK(counts.at("w h d") == launch_count{.traversals = 1, .clears = 2});
    CHECK(counts.at("a w h d") == launch_count{.traversals = 1, .folds = 1, .clears = 2});
    CHECK(counts.at("max") == launch_count{.traversals = 1, .other_kernels = 1, .clears = 1});
    CHECK(counts.at("max h") == launch_count{.traversals = 1, .clears = 1});
  });
}

TEST_CASE("launches: a softmax over ungrouped edges takes three, its gradients one traversal", "[plan][gpu]") {
  skip_without_cuda_device();
  for_some([](test_graph const& graph, int channels) {
    auto const counts = count_coo_softmax(graph, channels);
    CHECK(counts.at("forward") == launch_count{.traversals = 3, .clears = 2});
    CHECK(counts.at("h d") == launch_count{.traversals = 1, .other_kernels = 1, .clears = 2});
  });
}

TEST_CASE("launches: without rows or edges nothing is walked, and sums over them are 0", "[plan][gpu]") {
  skip_without_cuda_device();
  int const channels = 20;
  auto const check = [](parameter_gradient const& gradient) {
    CHECK(gradient.launches == launch_count{.folds = 1});
    CHECK(gradient.overwritten == std::vector<float>(channels, 0.0f));
    CHECK(gradient.accumulated == std::vector<float>(channels, 5.0f));
  };
  check(parameter_of_rows(make_test_graph("no destinations", 5, 0, {}), channels));
  check(parameter_of_rows(no_vertices(), channels));
  check(parameter_of_edges(no_edges(3), channels));
  auto const some = parameter_of_rows(no_edges(3), channels);
  CHECK(some.overwritten == std::vector<float>(channels, 0.0f));
  CHECK(some.accumulated == std::vector<float>(channels, 5.0f));
}
