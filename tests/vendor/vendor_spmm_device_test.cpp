#include "vendor_spmm_device_test.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "mapping/mapped.hpp"
#include "plan/check_case.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// A product in float64 with the sum of the magnitudes of its terms.
struct expected_rows {
  std::vector<double> values, magnitudes;
  explicit expected_rows(std::size_t size) : values(size), magnitudes(size) {}
  void add(std::size_t element, double term) {
    values[element] += term;
    magnitudes[element] += std::abs(term);
  }
};

template <class T>
struct vendor_problem {
  vendor_request request;
  vendor_operands<T> operands;

  vendor_problem(vendor_request const& wanted, random_stream& random) : request(wanted) {
    std::size_t const size = request.extents.elements(operand_kind::wide);
    auto const rows = [&](int count, std::size_t elements) {
      return draw_values<T>(static_cast<std::size_t>(count) * elements, draw::uniform, random);
    };
    for (int k = 0; k < 2; ++k) {
      operands.features[k] = rows(request.graph->num_sources, size);
      operands.weights[k] = rows(request.graph->num_edges(), 1);
    }
    operands.grad_out = rows(request.graph->num_destinations, size);
  }

  double weight(int k, int position_in_csr) const {
    auto const& rows = request.graph->by_destination;
    int const id = request.has_ids ? rows.edge_ids[static_cast<std::size_t>(position_in_csr)] : position_in_csr;
    return request.message == vendor_message::features
               ? 1.0
               : static_cast<double>(operands.weights[k][static_cast<std::size_t>(id)]);
  }
  /// Calls f(v, u, factor) for every edge u -> v.
  template <class F>
  void for_each_edge(int k, F const& f) const {
    auto const& rows = request.graph->by_destination;
    for (int v = 0; v < rows.num_rows(); ++v) {
      double const degree = request.is_mean ? rows.degree(v) : 1;
      for (int p = rows.offsets[static_cast<std::size_t>(v)]; p < rows.offsets[static_cast<std::size_t>(v) + 1]; ++p) {
        f(static_cast<std::size_t>(v), static_cast<std::size_t>(rows.neighbors[static_cast<std::size_t>(p)]),
          weight(k, p) / degree);
      }
    }
  }
  std::size_t row_size() const { return request.extents.elements(operand_kind::wide); }

  expected_rows out(int k) const {
    std::size_t const n = row_size();
    expected_rows result(static_cast<std::size_t>(request.graph->num_destinations) * n);
    for_each_edge(k, [&](std::size_t v, std::size_t u, double factor) {
      for (std::size_t i = 0; i < n; ++i)
        result.add(v * n + i, factor * static_cast<double>(operands.features[k][u * n + i]));
    });
    return result;
  }
  expected_rows gradient(bool is_added) const {
    std::size_t const n = row_size();
    expected_rows result(static_cast<std::size_t>(request.graph->num_sources) * n);
    for_each_edge(0, [&](std::size_t v, std::size_t u, double factor) {
      for (std::size_t i = 0; i < n; ++i)
        result.add(u * n + i, factor * static_cast<double>(operands.grad_out[v * n + i]));
    });
    if (is_added) {
      for (std::size_t i = 0; i < result.values.size(); ++i)
        result.add(i, static_cast<double>(operands.features[0][i]));
    }
    return result;
  }
};

/// Rounding grows with the number of terms, of which these graphs' hubs have thousands: sqrt of it is ample here.
template <class T>
void check_rows(std::vector<T> const& actual, expected_rows const& expected, char const* what) {
  REQUIRE(actual.size() == expected.values.size());
  double const epsilon = std::is_same_v<T, double> ? 1e-14 : 4e-6;
  std::string wrong;  // the first element that is
  for (std::size_t i = 0; i < actual.size() && wrong.empty(); ++i) {
    double const error = std::abs(static_cast<double>(actual[i]) - expected.values[i]);
    if (!(error <= epsilon * expected.magnitudes[i])) {
      wrong = edgewise::detail::text(what, ", element ", i, ": ", actual[i], " for ", expected.values[i]);
    }
  }
  CHECK(wrong == "");
}

template <class T>
void check_product(vendor_request const& request, random_stream& random) {
  INFO(request.graph->name << ", " << request.extents.heads << " x " << request.extents.channels << ", message "
                           << static_cast<int>(request.message) << ", mean " << request.is_mean << ", measured "
                           << request.is_measured << ", ids " << request.has_ids);
  vendor_problem<T> const problem(request, random);
  auto const result = run_vendor_spmm<T>(request, problem.operands);
  CHECK(result.damage == "");
  CHECK(result.num_allocations == 0);
  check_rows(result.out, problem.out(0), "out");
  check_rows(result.out_of_second, problem.out(1), "out of other arrays");
  check_rows(result.out_again, problem.out(0), "out once more");
  if (request.has_ids) {
    check_rows(result.gradient, problem.gradient(false), "gradient");
    check_rows(result.added_gradient, problem.gradient(true), "gradient added to");
  }
}

bool has_more_edges_than_pairs(test_graph const& graph) {
  return graph.num_edges() > std::int64_t{graph.num_sources} * graph.num_destinations;
}

}  // namespace

namespace {

/// The same edges, numbered in the order of the csr: their ids are positions there.
test_graph in_row_order(test_graph const& graph) {
  edge_list edges;
  auto const& rows = graph.by_destination;
  for (int row = 0; row < graph.num_destinations; ++row) {
    for (int k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) edges.push_back({rows.neighbors[k], row});
  }
  return make_test_graph(graph.name, graph.num_sources, graph.num_destinations, edges);
}

}  // namespace

TEST_CASE("vendor_spmm: more edges than pairs of vertices are refused", "[vendor][gpu]") {
  skip_without_cuda_device();
  random_stream random("vendor_spmm, too many edges");
  test_graph const graph = make_test_graph("three edges from 0 to 0", 1, 1, {{0, 0}, {0, 0}, {0, 0}});
  REQUIRE(has_more_edges_than_pairs(graph));
  vendor_request const request{.graph = &graph, .extents = {1, 4}};
  vendor_problem<float> const problem(request, random);
  CHECK_THROWS_WITH(
      run_vendor_spmm<float>(request, problem.operands),
      "vendor_spmm: cuSPARSE takes no more edges than pairs of vertices: graph has 3 edges, 1 rows and 1 neighbors");
}

TEST_CASE("vendor_spmm: sums and means, forward and backward, on the battery", "[vendor][gpu]") {
  skip_without_cuda_device();
  random_stream random("vendor_spmm");
  for (auto const& graph : mapping_graphs()) {
    if (has_more_edges_than_pairs(graph)) continue;
    for (width const extents : {width{1, 1}, width{1, 33}, width{4, 16}}) {
      for (bool const is_mean : {false, true}) {
        vendor_request request{.graph = &graph, .extents = extents, .is_mean = is_mean};
        check_product<float>(request, random);
        request.message = vendor_message::features;
        check_product<float>(request, random);
        request.message = vendor_message::weighted_behind;
        request.is_measured = true;
        request.row_padding = 3;
        request.weight_stride = 2;
        check_product<float>(request, random);
      }
      check_product<double>({.graph = &graph, .extents = extents, .is_mean = true}, random);
    }
  }
}

TEST_CASE("vendor_spmm: weights in the order of the edges are read where they are", "[vendor][gpu]") {
  skip_without_cuda_device();
  random_stream random("vendor_spmm without ids");
  for (auto const& graph : {in_row_order(one_hub()), in_row_order(random_skewed())}) {
    vendor_request request{.graph = &graph, .extents = {1, 32}, .has_ids = false};
    check_product<float>(request, random);  // other weights at another address are those of the second call
    request.is_measured = true;
    check_product<float>(request, random);
    vendor_problem<float> const problem(request, random);
    CHECK_THAT(run_vendor_spmm<float>(request, problem.operands).explanation,
               Catch::Contains("values are the weights") && Catch::Contains("cuSPARSE 1") &&
                   Catch::Contains("copy 1 GB/s:\n  forward: "));
  }
}

TEST_CASE("vendor_spmm: refuses what a plan refuses", "[vendor][gpu]") {
  skip_without_cuda_device();
  auto const sentences = vendor_refusals();
  REQUIRE(sentences.size() == 6);
  CHECK_THAT(sentences[0], Catch::Contains("src<h>: has 4 rows, the graph has 3 sources"));
  CHECK_THAT(sentences[1], Catch::Contains("operands have 1 heads x 3 channels, the plan was made for 1 x 4"));
  CHECK_THAT(sentences[2], Catch::Contains("out: has 2 rows, the graph has 3 destinations"));
  CHECK_THAT(sentences[3], Catch::Contains("out: is the array of src<h>"));
  CHECK_THAT(sentences[4], Catch::Contains("backward: saved holds nothing"));
  CHECK_THAT(sentences[5], Catch::Contains("forward: saved was made by another plan"));
}
