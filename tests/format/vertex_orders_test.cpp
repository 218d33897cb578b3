// Orders by degree and by reverse Cuthill-McKee.
#include <edgewise/format/vertex_orders.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "order_laws.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// The largest distance of two ids that an edge joins.
template <class View>
int bandwidth(View const& edges) {
  int largest = 0;
  for_each_edge(
      edges, [&](auto, int source, int destination) { largest = std::max(largest, std::abs(source - destination)); });
  return largest;
}

/// A grid of rows x columns with edges both ways, its vertices shuffled.
coo<> shuffled_grid(int rows, int columns) {
  random_stream random("orders: grid");
  std::vector<int> name(static_cast<std::size_t>(rows * columns));
  for (std::size_t v = 0; v < name.size(); ++v) name[v] = static_cast<int>(v);
  for (std::size_t k = name.size(); k > 1; --k)
    std::swap(name[k - 1], name[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
  std::vector<int> sources, destinations;
  auto const join = [&](int a, int b) {
    sources.insert(sources.end(), {name[static_cast<std::size_t>(a)], name[static_cast<std::size_t>(b)]});
    destinations.insert(destinations.end(), {name[static_cast<std::size_t>(b)], name[static_cast<std::size_t>(a)]});
  };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (c + 1 < columns) join(r * columns + c, r * columns + c + 1);
      if (r + 1 < rows) join(r * columns + c, (r + 1) * columns + c);
    }
  }
  return make_coo(vertices(rows * columns), sources, destinations);
}

}  // namespace

TEST_CASE("vertex orders: laws on the battery", "[format]") {
  for (auto const& graph : battery()) {
    if (!graph.is_square()) continue;
    check_order_laws(graph, by_degree{});
    check_order_laws(graph, reverse_cuthill_mckee{});
  }
}

TEST_CASE("vertex orders: by degree, heavy ones first, ties as stored", "[format]") {
  std::vector<int> const sources{0, 1, 2, 3, 3}, destinations{3, 3, 3, 1, 4};
  auto const order = find_order(cpu{}, make_coo(vertices(6), sources, destinations), by_degree{});
  CHECK(values(order.old_of_new.data(), 6) == std::vector<int>{3, 1, 0, 2, 4, 5});
  auto const hub = one_hub();
  auto const of_hub = find_order(cpu{}, hub.csr(), by_degree{});
  csr<> const moved = reorder(cpu{}, hub.csr(), of_hub);
  auto const degree = [&](int v) {
    return moved.offsets()[static_cast<std::size_t>(v) + 1] - moved.offsets()[static_cast<std::size_t>(v)];
  };
  CHECK(degree(0) == hub.max_degree());
}

TEST_CASE("vertex orders: reverse Cuthill-McKee finds a grid's bandwidth again", "[format]") {
  coo<> const grid = shuffled_grid(40, 12);
  REQUIRE(bandwidth(grid.view()) > 300);
  auto const order = find_order(cpu{}, grid, reverse_cuthill_mckee{});
  CHECK(bandwidth(reorder(cpu{}, grid, order).view()) <= 13);  // one diagonal of the grid and a vertex
}

TEST_CASE("vertex orders: a path is numbered from one end, components stay together", "[format]") {
  std::vector<int> const sources{4, 1, 3, 6}, destinations{1, 3, 0, 5};  // 4 - 1 - 3 - 0, 6 - 5, and 2 alone
  coo<> const edges = make_coo(vertices(7), sources, destinations);
  auto const order = find_order(cpu{}, edges, reverse_cuthill_mckee{});
  CHECK(bandwidth(reorder(cpu{}, edges, order).view()) == 1);
}
