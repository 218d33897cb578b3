#include "normalize_device.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "support/catch.hpp"

#include "../support/device.hpp"
#include "../support/graphs.hpp"

namespace edgewise {
namespace {

/// Degrees are summed in double on both sides, in another order: `terms` roundings of a double, then one of Real.
template <class Real>
void check_close(host_buffer<Real> const& left, host_buffer<Real> const& right, int terms) {
  double const epsilon = 8 * (std::numeric_limits<Real>::epsilon() + terms * std::numeric_limits<double>::epsilon());
  REQUIRE(left.size() == right.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    double const expected = right[k];
    REQUIRE(std::abs(left[k] - expected) <= epsilon * std::abs(expected));
  }
}

TEMPLATE_TEST_CASE("device normalisation agrees with the host's", "[gpu]", float, double) {
  testing::skip_without_cuda_device();
  for (auto const& graph : testing::battery()) {
    CAPTURE(graph.name);
    testing::random_stream random("device normalize: " + graph.name);
    std::vector<TestType> weights;
    for (int e = 0; e < graph.num_edges(); ++e) weights.push_back(static_cast<TestType>(0.1 + random.uniform()));
    for (auto mode : {normalization::none, normalization::left, normalization::right, normalization::both}) {
      for (auto self_loop : {virtual_self_loop::absent, virtual_self_loop::present}) {
        if (self_loop == virtual_self_loop::present && !graph.is_square()) continue;
        normalize_options const options{.mode = mode, .self_loop = self_loop};
        for (bool const weighted : {false, true}) {
          auto const on_device =
              testing::normalize_on_device(graph, options, weighted ? weights : std::vector<TestType>(),
                                           /*wide_offsets=*/weighted);
          auto const* const read = weighted ? weights.data() : nullptr;
          auto const factors = normalize_vertices<TestType>(cpu{}, graph.csr(), options, read);
          check_close(on_device.factors.source, factors.source, graph.num_edges());
          check_close(on_device.factors.destination, factors.destination, graph.num_edges());
          check_close(on_device.edges, normalize_edges<TestType>(cpu{}, graph.csr(), options, read), graph.num_edges());
          CHECK(std::equal(on_device.edges.begin(), on_device.edges.end(), on_device.edges_again.begin()));
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("device degrees that are denormal scale like others", "[gpu]", float, double) {
  testing::skip_without_cuda_device();
  auto const graph = testing::random_skewed();
  std::vector<TestType> weights;
  for (int e = 0; e < graph.num_edges(); ++e) {
    weights.push_back(static_cast<TestType>(1 + e % 5) * std::numeric_limits<TestType>::denorm_min());
  }
  for (auto mode : {normalization::left, normalization::right, normalization::both}) {
    normalize_options const options{.mode = mode};
    auto const on_device = testing::normalize_on_device(graph, options, weights, /*wide_offsets=*/false);
    auto const factors = normalize_vertices<TestType>(cpu{}, graph.csr(), options, weights.data());
    check_close(on_device.factors.source, factors.source, graph.num_edges());
    check_close(on_device.factors.destination, factors.destination, graph.num_edges());
    check_close(on_device.edges, normalize_edges<TestType>(cpu{}, graph.csr(), options, weights.data()),
                graph.num_edges());
  }
}

TEST_CASE("the device refuses a virtual self loop on a bipartite graph", "[gpu]") {
  testing::skip_without_cuda_device();
  CHECK_THROWS_AS(testing::normalize_on_device(testing::bipartite(37, 53, 0.2),
                                               {.self_loop = virtual_self_loop::present}, std::vector<float>(), false),
                  invalid_argument);
}

}  // namespace
}  // namespace edgewise
