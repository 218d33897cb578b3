#include <edgewise/mapping/degree_histogram.hpp>

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "degrees.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("degree_histogram: counts every row, and quantiles are those of the sorted degrees", "[mapping]") {
  for (auto const& graph : graphs_of_degrees()) {
    INFO(graph.name);
    check_histogram(
        edgewise::detail::engine<cpu>::read_degrees(cpu{}, graph.csr(), edgewise::detail::workload_of(graph.csr())),
        graph);
  }
}

TEST_CASE("degree_histogram: above 4095 a quantile has the right number of digits", "[mapping]") {
  std::vector<int> offsets{0, 5000, 5000, 15000, 15010};
  grouping_view<int, int> const grouping{.offsets = offsets.data(), .num_rows = 4, .num_edges = 15010};
  auto const degrees =
      edgewise::detail::engine<cpu>::read_degrees(cpu{}, grouping, edgewise::detail::workload_of(grouping));
  CHECK(degrees.quantile(0.5) == 10);
  CHECK(degrees.quantile(0.75) == 8191);
  CHECK(degrees.quantile(1) == 10000);  // no more than the largest
  CHECK_THROWS_AS(degrees.quantile(1.5), invalid_argument);
  CHECK_THROWS_AS(degrees.quantile(-0.1), invalid_argument);
}

TEST_CASE("histogram_class: classes are in the order of degrees", "[mapping]") {
  std::int64_t previous = 0;
  for (std::int64_t degree = 1; degree < (std::int64_t{1} << 62); degree += degree / 3 + 1) {
    int const now = edgewise::detail::histogram_class(degree);
    CHECK(now >= edgewise::detail::histogram_class(previous));
    CHECK(now < edgewise::detail::degree_histogram_classes);
    previous = degree;
  }
}
