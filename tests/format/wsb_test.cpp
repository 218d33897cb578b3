// Window-sorted blocks: their tiles are the rows' edges, and plans walk them as rows.
#include <bit>
#include <cstdint>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "support/catch.hpp"

#include "edges.hpp"
#include "message.hpp"

namespace edgewise {
namespace {

using testing::edges_by_id;
using testing::edges_of;
using testing::make_test_graph;
using testing::message_of;
using testing::test_graph;
using testing::values;

/// The neighbors that the bits of a row say, tile after tile.
template <class View>
std::vector<int> tiled_row(View const& g, int row) {
  std::vector<int> neighbors;
  int const window = row / 16;
  for (auto t = g.window_tiles[window]; t < g.window_tiles[window + 1]; ++t) {
    for (int c = 0; c < 16; ++c) {
      if (g.masks[t * 16 + row % 16] >> c & 1) neighbors.push_back(static_cast<int>(g.columns[t * 16 + c]));
    }
  }
  return neighbors;
}

template <class View>
void check_tiles(View const& g) {
  validate(g);
  std::int64_t bits = 0;
  for (std::int64_t i = 0; i < std::int64_t{g.num_tiles} * 16; ++i) bits += std::popcount(g.masks[i]);
  CHECK(bits == g.num_edges);  // none in rows that the last window lacks
  for (int row = 0; row < g.num_rows; ++row) {
    auto const neighbors = tiled_row(g, row);
    REQUIRE(neighbors == std::vector<int>(g.neighbors + g.offsets[row], g.neighbors + g.offsets[row + 1]));
    REQUIRE(std::is_sorted(neighbors.begin(), neighbors.end()));
  }
}

template <class Offset>
void check_graph(test_graph const& graph) {
  INFO(graph.name);
  auto const rows = graph.by_destination.with_offsets<Offset>();
  auto const columns = graph.by_source.with_offsets<Offset>();
  auto const by_destination = to_wsb(cpu{}, graph.csr_of(rows));
  auto const by_source = to_wsb(cpu{}, graph.csc_of(columns));
  check_tiles(by_destination.view());
  check_tiles(by_source.view());
  CHECK(edges_by_id(by_destination.view()) == edges_of(graph));
  CHECK(edges_by_id(by_source.view()) == edges_of(graph));
  validate(edgewise::graph{by_destination, by_source});

  auto const found = statistics_of(by_source.view());
  CHECK(found.edges == graph.num_edges());
  CHECK(found.tiled_edges == found.edges);
  CHECK(found.windows == (graph.num_sources + 15) / 16);
}

TEST_CASE("wsb: the bits of tiles are the edges of rows, with their ids, on the battery") {
  for (auto const& graph : testing::battery()) {
    check_graph<int>(graph);
    check_graph<long long>(graph);
  }
}

TEST_CASE("wsb: columns are shared by a window's rows, multi-edges repeat them") {
  // rows 0 and 1 share neighbor 3; row 1 has neighbor 5 twice; row 16 is the second window's
  auto const graph = make_test_graph("small", 20, 17, {{3, 0}, {5, 1}, {3, 1}, {5, 1}, {19, 16}});
  auto const made = to_wsb(cpu{}, graph.csr());
  auto const g = made.view();
  CHECK(values(g.window_tiles, 3) == std::vector<int>{0, 1, 2});
  CHECK(values(g.columns, 4) == std::vector<int>{3, 5, 5, 5});  // the rest repeats the last
  CHECK(g.columns[15] == 5);
  CHECK(values(g.masks, 3) == std::vector<std::uint16_t>{0b001, 0b111, 0});
  CHECK(g.columns[16] == 19);
  CHECK(values(g.masks + 16, 2) == std::vector<std::uint16_t>{1, 0});
  CHECK(values(g.edge_ids, 5) == std::vector<int>{0, 2, 1, 3, 4});  // sorted by neighbor, in order where equal
  CHECK(made.tile_bytes() == 3 * 4 + 32 * 4 + 32 * 2);
  CHECK(made.size_bytes() == made.rows().size_bytes() + made.tile_bytes());

  auto const found = statistics_of(g);
  CHECK(found.tiles == 2);
  CHECK(found.columns == 4);
  CHECK(found.fill() == 5.0 / 512);
  CHECK(found.reuse() == 5.0 / 4);
  CHECK(to_string(found) == "2 tiles in 2 of 2 windows, 5 of 5 edges, fill 0.00976562, reuse 1.25");
}

TEST_CASE("wsb: the example of docs/tiles.md") {
  namespace ew = edgewise;
  auto const picture = make_test_graph("picture", 10, 10, {{4, 0}, {9, 0}, {1, 1}, {4, 1}, {7, 1}, {4, 3}});
  auto const csr = picture.csr();
  auto const csc = picture.csc();
  // clang-format off
  // [begin tiles]
  auto const by_destination = ew::to_wsb(ew::cpu{}, csr);  // of a csr: grouped by destination
  auto const by_source = ew::to_wsb(ew::cpu{}, csc);       // of a csc: grouped by source
  ew::graph const g{by_destination, by_source};            // takes a csr's and a csc's place
  auto const found = ew::statistics_of(by_destination);
  // found.tiles == 1, found.fill() == 6.0 / 256, found.reuse() == 6.0 / 4
  // [end tiles]
  // clang-format on
  validate(g);
  CHECK(found.tiles == 1);
  CHECK(found.fill() == 6.0 / 256);
  CHECK(found.reuse() == 6.0 / 4);
  CHECK(values(by_destination.view().columns, 4) == std::vector<int>{1, 4, 7, 9});
  CHECK(values(by_destination.view().masks, 4) == std::vector<std::uint16_t>{0b1010, 0b0111, 0, 0b0010});
}

TEST_CASE("wsb: rows that are sorted already keep their positions as ids") {
  std::vector<int> const offsets{0, 2, 3};
  std::vector<int> const neighbors{0, 2, 1};
  auto const made = to_wsb(cpu{}, make_csr({.sources = 3, .destinations = 2}, offsets, neighbors));
  CHECK(made.view().edge_ids == nullptr);
  check_tiles(made.view());
}

TEST_CASE("wsb: windows of little reuse are left to their rows") {
  testing::edge_list edges;
  for (int v = 0; v < 16; ++v) {
    edges.push_back({7, v});            // the first window: all rows share a neighbor
    edges.push_back({20 + v, 16 + v});  // the second: none do
  }
  auto const graph = make_test_graph("two windows", 40, 40, edges);
  auto const made = to_wsb(cpu{}, graph.csr(), {.least_reuse = 1.5});
  auto const g = made.view();
  validate(g);
  CHECK(values(g.window_tiles, 4) == std::vector<int>{0, 1, 1, 1});
  CHECK(tiled_row(g, 3) == std::vector<int>{7});
  CHECK(tiled_row(g, 17).empty());
  auto const found = statistics_of(g);
  CHECK(found.windows == 3);
  CHECK(found.tiled_windows == 1);
  CHECK(found.tiled_edges == 16);
  CHECK(found.reuse() == 16);
  CHECK(statistics_of(to_wsb(cpu{}, graph.csr(), {.least_reuse = 17}).view()).fill() == 0);
}

TEST_CASE("wsb: nothing at all") {
  wsb<csr<>> const none;
  validate(none);
  CHECK(none.size_bytes() == 0);
  CHECK(statistics_of(none.view()).tiles == 0);
  auto const made = to_wsb(cpu{}, csc<>{});
  validate(made);
  CHECK(made.view().num_tiles == 0);
}

TEST_CASE("wsb: what is wrong is named") {
  auto const graph = make_test_graph("small", 20, 17, {{3, 0}, {3, 1}, {5, 1}, {19, 16}});
  auto const made = to_wsb(cpu{}, graph.csr());
  auto neighbors = values(made.rows().neighbors().data(), 4);
  auto window_tiles = values(made.window_tiles().data(), 3);
  auto columns = values(made.columns().data(), 32);
  auto masks = values(made.masks().data(), 32);
  auto const message = [&](auto const& damage) {
    auto const before = std::tuple(neighbors, window_tiles, columns, masks);
    damage();
    auto g = made.view();
    g.neighbors = neighbors.data();
    g.window_tiles = window_tiles.data();
    g.columns = columns.data();
    g.masks = masks.data();
    auto const found = message_of<invalid_argument>([&] { validate(g); });
    std::tie(neighbors, window_tiles, columns, masks) = before;
    return found;
  };
  CHECK(message([] {}) == "no error");
  CHECK(message([&] { neighbors[2] = 20; }) == "wsb: neighbors[2] = 20, but the graph has 20 sources");
  CHECK(message([&] { neighbors[1] = 6; }) ==
        "wsb: neighbors[2] = 5 is less than neighbors[1] = 6, but rows must be sorted; row 1 is not");
  CHECK(message([&] { window_tiles[0] = 1; }) == "wsb: window_tiles[0] = 1, must be 0");
  CHECK(message([&] { window_tiles[1] = 3; }) ==
        "wsb: window_tiles[1] = 3, must be from window_tiles[0] = 0 to the number of tiles 2");
  CHECK(message([&] { window_tiles[2] = 1; }) == "wsb: window_tiles[2] = 1, must be the number of tiles 2");
  CHECK(message([&] { columns[7] = -1; }) == "wsb: columns[7] = -1, but the graph has 20 sources");
  CHECK(message([&] { columns[0] = 4; }) == "wsb: masks[0] has bit 0, neighbor 4, but row 0 has neighbor 3 next");
  CHECK(message([&] { masks[0] = 3; }) == "wsb: masks[0] has bit 1, neighbor 5, but row 0 has no more edges next");
  CHECK(message([&] { masks[1] = 1; }) == "wsb: no bit in masks for position 2 of neighbors, row 1");
  CHECK(message([&] { masks[16 + 1] = 1; }) ==
        "wsb: masks[17] has bit 0, neighbor 19, but row 17 has no more edges next");
  CHECK(message_of<invalid_argument>([] {
          wsb<csr<>>({vertices(1), host_buffer<int>(2, host_memory()), host_buffer<int>(0, host_memory())},
                     host_buffer<int>(1, host_memory()), {}, {});
        }) == "wsb: window_tiles has 1 elements, must have num_windows + 1 = 2");
}

struct h;
struct w;

TEST_CASE("wsb: plans walk it as rows, forward and backward") {
  for (auto const& graph : testing::battery()) {
    INFO(graph.name);
    int const channels = 3;
    auto const size = [](int n) { return static_cast<std::size_t>(n); };
    auto const integers = [&](int count, int seed) {  // sums of integers are exact in any order
      std::vector<float> drawn(size(count));
      for (int i = 0; i < count; ++i) drawn[size(i)] = static_cast<float>((i * 7 + seed) % 11 - 5);
      return drawn;
    };
    auto const x = integers(graph.num_sources * channels, 1);
    auto const weights = integers(graph.num_edges(), 2);
    auto const dy = integers(graph.num_destinations * channels, 3);
    std::vector<float> y(dy.size(), -1e30f), dx(x.size(), -1e30f), dw(weights.size(), -1e30f);
    std::vector<float> expected_y(dy.size()), expected_dx(x.size()), expected_dw(weights.size());
    for (int e = 0; e < graph.num_edges(); ++e) {
      for (int c = 0; c < channels; ++c) {
        auto const u = size(graph.sources[size(e)] * channels + c);
        auto const v = size(graph.destinations[size(e)] * channels + c);
        expected_y[v] += weights[size(e)] * x[u];
        expected_dx[u] += weights[size(e)] * dy[v];
        expected_dw[size(e)] += x[u] * dy[v];
      }
    }
    auto const by_destination = to_wsb(cpu{}, graph.csr());
    auto const by_source = to_wsb(cpu{}, graph.csc());
    auto const in = bindings(bind<h>(wide(x.data(), graph.num_sources, channels)),
                             bind<w>(per_row(weights.data(), graph.num_edges())));
    auto const plan =
        fuse(edgewise::graph{by_destination, by_source}, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, out(wide(y.data(), graph.num_destinations, channels)), saved);
    plan.backward(cpu{}, in, saved, grad_out(wide(dy.data(), graph.num_destinations, channels)),
                  grad<h>(wide(dx.data(), graph.num_sources, channels)),
                  grad<w>(per_row(dw.data(), graph.num_edges())));
    CHECK(y == expected_y);
    CHECK(dx == expected_dx);
    CHECK(dw == expected_dw);
  }
}

}  // namespace
}  // namespace edgewise
