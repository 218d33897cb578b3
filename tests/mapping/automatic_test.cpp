#include <edgewise/mapping/automatic.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "check_mapping.hpp"
#include "degrees.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Rows of degrees, as many of each.
degree_histogram rows_of_degrees(std::vector<std::pair<std::int64_t, int>> const& rows, double distinct_neighbors) {
  std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
  workload work;
  std::int64_t longest = 0;
  for (auto const& [degree, count] : rows) {
    counts[static_cast<std::size_t>(edgewise::detail::histogram_class(degree))] += count;
    work.num_rows += count;
    work.num_edges += degree * count;
    longest = std::max(longest, degree);
  }
  return {work, longest, counts, distinct_neighbors};
}

}  // namespace

TEST_CASE("automatic: cuts as short as leaves few pieces", "[mapping]") {
  for (auto const& graph : graphs_of_degrees()) {
    INFO(graph.name);
    auto const degrees =
        edgewise::detail::engine<cpu>::read_degrees(cpu{}, graph.csr(), edgewise::detail::workload_of(graph.csr()));
    std::int64_t const longest = automatic{}.split(degrees).max_edges;
    int const most = graph.num_destinations / 2;  // of graphs as small as these
    CHECK(longest >= 16);
    if (degrees.max_degree() > longest) CHECK(degrees.num_pieces(longest) <= most);
    std::int64_t const of_hub = std::min<std::int64_t>(128, std::sqrt(degrees.max_degree()));  // the least cut
    CHECK(longest >= of_hub);
    if (longest > std::max<std::int64_t>(16, of_hub)) CHECK(degrees.num_pieces(longest * 4 / 5) > most);
  }
}

TEST_CASE("automatic: on graphs as they are", "[mapping]") {
  auto const longest = [](std::vector<std::pair<std::int64_t, int>> const& rows, double distinct_neighbors = 0.5) {
    return automatic{}.split(rows_of_degrees(rows, distinct_neighbors)).max_edges;
  };
  CHECK(longest({{2, 100000}, {4, 40000}, {10, 300}}) == 64);                 // roads: nothing is cut
  CHECK(longest({{3, 2800000}, {40, 100000}, {2000, 20}}) == 64);             // few rows are long
  CHECK(longest({{3, 2000}, {20, 100}, {190, 1}}) == 16);                     // few rows above it
  CHECK(longest({{40, 600000}, {100, 60000}, {900, 600}, {4500, 10}}) > 64);  // not the tenth of the rows
  CHECK(longest({{40, 600000}, {100, 60000}, {900, 600}, {4500, 10}}) < 256);
  // A piece for 4 rows.
  CHECK(longest({{10, 70000}, {100, 10000}}) == 64);
  CHECK(longest({{10, 69999}, {100, 10001}}) == 107);
  // By degree a sixteenth of the pieces do.
  CHECK(longest({{20, 500000}, {100, 30000}, {300, 5000}}) < 128);
  CHECK(longest({{20, 500000}, {100, 30000}, {300, 5000}}, 1) >= 300);
  CHECK(longest({{3, 2800000}, {40, 100000}, {250000, 1}}) == 128);  // web: a hub's pieces are many
  CHECK(longest({{500, 50000}}) >= 500);                             // rows alike stay whole
  CHECK(longest({{500, 50000}, {1000000, 1}}) < 1000);               // but not a hub
  CHECK(longest({}) == 16);
}

TEST_CASE("automatic: pieces of a hub are as long as they are many", "[mapping]") {
  auto const longest = [](std::vector<std::pair<std::int64_t, int>> const& rows, double distinct_neighbors) {
    return automatic{}.split(rows_of_degrees(rows, distinct_neighbors)).max_edges;
  };
  CHECK(longest({{5, 100000}, {10000, 1}}, 0.5) == 100);
  CHECK(longest({{5, 100000}, {10000, 1}}, 1) == 100);
  CHECK(longest({{18, 32000}, {4000, 1}}, 0.5) == 64);
  CHECK(longest({{18, 32000}, {4000, 1}}, 1) == 64);
  CHECK(longest({{5, 6000}, {2000, 1}}, 1) == 44);  // few edges
  CHECK(longest({{5, 18000}, {760, 1}}, 1) == 32);  // more
  CHECK(longest({{3, 2800000}, {400000, 1}}, 1) == 128);
}

TEST_CASE("automatic: narrow rows are cut by the threads that share one", "[mapping]") {
  using rows = std::vector<std::pair<std::int64_t, int>>;
  auto const split = [](rows const& degrees, int group, bool has_channel_sums = false, double spread = 1) {
    degree_histogram const wide = rows_of_degrees(degrees, 1);
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    for (auto const& [degree, count] : degrees)
      counts[static_cast<std::size_t>(edgewise::detail::histogram_class(degree))] += count;
    workload work = wide.work();
    work.groups.narrow = group;
    work.has_channel_sums = has_channel_sums;
    return automatic{}.split(degree_histogram(work, wide.max_degree(), counts, spread));
  };
  rows const skewed{{2, 150000}, {40, 12000}, {500, 400}};
  rows const even{{30, 300000}, {70, 300000}, {600, 1000}};
  CHECK(split(skewed, 1).max_edges == 64);
  CHECK(split(skewed, 2).max_edges == 64);
  CHECK(split(skewed, 1).order == row_order::degree);
  CHECK(split(even, 1).max_edges == 256);            // four threads per row
  CHECK(split(even, 1).order == row_order::stored);  // ids and weights lie as stored
  CHECK(split(even, 2).order == row_order::degree);  // wider rows hide them
  CHECK(split(even, 0).order == row_order::degree);
  CHECK(split(skewed, 0, false, 0.6).pieces == piece_order::in_place);
  CHECK(split(skewed, 2, false, 0.6).order == row_order::windows);
  CHECK(split(skewed, 2, false, 0.6).pieces == piece_order::ahead);  // they have blocks of their own
  CHECK(split({{3, 2000}, {190, 20}}, 1).max_edges >= 190);          // a slot costs more than to walk on
  CHECK(split({{3, 2000}, {190, 20}}, 1, true).max_edges == 64);
}

TEST_CASE("automatic: partitions where features outgrow the cache and are read often", "[mapping]") {
  constexpr std::int64_t mega = 1 << 20;
  auto const partitions = [](std::int64_t degree, std::int64_t neighbors, std::int64_t neighbor_bytes,
                             std::int64_t cache_bytes) {
    workload const work{200000, degree * 200000, neighbors, neighbor_bytes, cache_bytes};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[static_cast<std::size_t>(degree)] = 200000;
    return automatic{}.split(degree_histogram(work, degree, counts)).partitions;
  };
  CHECK(partitions(490, 200000, 240 * mega, 60 * mega) == 8);  // half of the cache each
  CHECK(partitions(490, 200000, 241 * mega, 60 * mega) == 9);
  CHECK(partitions(490, 200000, 480 * mega, 60 * mega) == 16);
  CHECK(partitions(490, 200000, 119 * mega, 60 * mega) == 1);  // not much larger than the cache
  CHECK(partitions(490, 200000, 120 * mega, 60 * mega) == 4);
  CHECK(partitions(257, 200000, 240 * mega, 60 * mega) == 8);
  CHECK(partitions(256, 200000, 240 * mega, 60 * mega) == 1);  // no row is long enough
  CHECK(partitions(257, 3212500, 240 * mega, 60 * mega) == 8);
  CHECK(partitions(257, 3212501, 240 * mega, 60 * mega) == 1);  // each is read a few times
  CHECK(partitions(4000, 200000, 1920 * mega, 60 * mega) == 64);
  CHECK(partitions(4000, 200000, 1921 * mega, 60 * mega) == 1);  // for hubs alone
  CHECK(partitions(490, 10000000, 240 * mega, 60 * mega) == 1);
  CHECK(partitions(490, 200000, 240 * mega, 0) == 1);  // rows are not cut at all
}

TEST_CASE("least_partitioned_degree: pieces of 48 edges, of long rows of 16 and more", "[mapping]") {
  CHECK(least_partitioned_degree(2) == 96);
  CHECK(least_partitioned_degree(5) == 240);
  CHECK(least_partitioned_degree(6) == 256);
  CHECK(least_partitioned_degree(16) == 256);
  CHECK(least_partitioned_degree(17) == 272);
}

TEST_CASE("automatic: partitions where what edges read by id outgrows the cache", "[mapping]") {
  constexpr std::int64_t mega = 1 << 20;
  auto const partitions = [](std::int64_t degree, std::int64_t hub, std::int64_t neighbor_bytes,
                             std::int64_t edge_bytes, double spread = 1.0) {
    workload work{200000, degree * 200000, 200000, neighbor_bytes, 60 * mega};
    work.edge_bytes = edge_bytes;
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[static_cast<std::size_t>(degree)] = 199999;
    counts[static_cast<std::size_t>(hub)] += 1;
    return automatic{}.split(degree_histogram(work, hub, counts, spread)).partitions;
  };
  CHECK(partitions(490, 490, 30 * mega, 450 * mega) == 5);   // 6 + 18 in half of 60
  CHECK(partitions(490, 490, 120 * mega, 450 * mega) == 7);  // 17.1 + 9.2
  CHECK(partitions(490, 490, 120 * mega, 0) == 4);
  CHECK(partitions(490, 490, 30 * mega, 89 * mega) == 1);  // not much larger than the cache
  CHECK(partitions(490, 490, 30 * mega, 90 * mega) == 3);
  CHECK(partitions(49, 4000, 30 * mega, 450 * mega) == 1);   // long rows are few
  CHECK(partitions(49, 4000, 240 * mega, 450 * mega) == 8);  // as without what lies by id
  CHECK(partitions(490, 490, 30 * mega, 450 * mega, 0.89) == 1);
}

TEST_CASE("automatic: rows change places where those side by side share no neighbors", "[mapping]") {
  constexpr std::int64_t mega = 1 << 20;
  auto const split = [](std::int64_t degree, std::int64_t other_degree, int rows, double spread,
                        double distinct_in_window = 1) {
    workload const work{2 * rows, (degree + other_degree) * rows, 2 * rows, 240 * mega, 60 * mega};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[static_cast<std::size_t>(degree)] += rows;
    counts[static_cast<std::size_t>(other_degree)] += rows;
    return automatic{}.split(
        degree_histogram(work, std::max(degree, other_degree), counts, spread, distinct_in_window));
  };
  CHECK(split(100, 300, 100000, 0.6, 0.85).order == row_order::windows);
  CHECK(split(100, 300, 100000, 0.6, 0.84).order == row_order::short_windows);
  CHECK(split(100, 300, 100000, 0.6, 0.84).block == block_size::threads_128);
  CHECK(split(100, 300, 100000, 0.6, 0.84).pieces == piece_order::in_place);
  CHECK(split(100, 300, 100000, 0.9, 0.84).order == row_order::degree);
  CHECK(split(100, 300, 100000, 1.0).order == row_order::degree);
  CHECK(split(100, 300, 100000, 0.9).order == row_order::degree);
  CHECK(split(100, 300, 100000, 0.89).order == row_order::windows);
  CHECK(split(100, 107, 100000, 1.0).order == row_order::stored);  // a deviation of 3.5
  CHECK(split(100, 300, window_rows, 1.0).order == row_order::stored);
  CHECK(split(100, 300, 100000, 0.89).block == block_size::threads_128);
  CHECK(split(100, 300, 100000, 0.9).block == block_size::chosen);
  CHECK(split(100, 107, 100000, 0.89).block == block_size::chosen);
  CHECK(split(100, 300, 100000, 0.89).pieces == piece_order::in_place);
  CHECK(split(100, 300, 100000, 0.9).pieces == piece_order::ahead);
  CHECK(split(100, 107, 100000, 0.89).pieces == piece_order::ahead);
  CHECK(split(100, 300, 100000, 0.9).partitions == 8);
  CHECK(split(100, 300, 100000, 0.89).partitions == 1);
}

TEST_CASE("automatic: tiles where rows in flight share few neighbors and a tile's features nearly fit", "[mapping]") {
  auto const split = [](std::int64_t elements, int element_bytes, std::int64_t neighbors, double spread,
                        std::int64_t reads = 16, bool has_edge_operands = false) {
    workload const work{.num_rows = 100000,
                        .num_edges = reads * neighbors,
                        .num_neighbors = neighbors,
                        .neighbor_bytes = neighbors * elements * element_bytes,
                        .cache_bytes = 50'000'000,
                        .tile_elements = elements,
                        .narrow_tile = element_bytes == 2 ? 128 : 64,
                        .has_edge_operands = has_edge_operands};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[10] = 100000;
    return automatic{}.split(degree_histogram(work, 1000, counts, spread));
  };
  auto const tile = [&](auto... what) { return split(what...).tile; };
  constexpr std::int64_t all = row_split{}.tile;
  CHECK(tile(256, 4, 200000, 1.0) == 64);
  CHECK(tile(128, 4, 200000, 0.6) == 64);
  CHECK(tile(128, 4, 200000, 1.0, 4) == 64);
  CHECK(tile(128, 4, 200000, 1.0, 3) == all);  // each is read a few times
  CHECK(tile(128, 4, 200000, 0.59) == all);    // rows side by side share them
  CHECK(tile(64, 4, 200000, 1.0) == all);
  CHECK(tile(100, 4, 200000, 1.0) == all);  // the last tile would be half empty
  CHECK(tile(120, 4, 200000, 1.0) == 64);
  CHECK(tile(256, 4, 48000, 1.0) == all);      // all features fit
  CHECK(tile(256, 4, 781250, 1.0) == 64);      // a tile's are four times the cache
  CHECK(tile(256, 4, 781251, 1.0) == all);     // and more
  CHECK(tile(256, 4, 390625, 1.0, 15) == 64);  // twice, of what is read less often
  CHECK(tile(256, 4, 390626, 1.0, 15) == all);
  CHECK(tile(256, 2, 200000, 1.0) == 128);  // rows of as many bytes
  CHECK(tile(128, 2, 400000, 1.0) == all);
  CHECK(split(256, 4, 200000, 1.0).partitions == 1);  // passes in tiles need none
  CHECK(split(256, 4, 200000, 1.0, 16, true).partitions == 9);
  CHECK(split(256, 4, 200000, 1.0, 16, true).tile == 64);
  CHECK(tile(0, 4, 200000, 1.0) == all);  // channels are needed together
}

TEST_CASE("automatic: tiles of cached features by half the threads", "[mapping]") {
  struct rows {
    std::int64_t elements = 256;
    std::int64_t neighbors = 40000;
    double spread = 1;
    std::int64_t degree = 10;
    int half_of_tile = 8;
    std::int64_t other_degree = 10;  // of half of the rows
    std::int64_t edge_bytes = 0;     // read by id
    bool has_softmax = false;
  };
  auto const split = [](rows r) {
    int const half = static_cast<int>(r.neighbors / 2);
    workload const work{.num_rows = 2 * half,
                        .num_edges = (r.degree + r.other_degree) * half,
                        .num_neighbors = r.neighbors,
                        .neighbor_bytes = r.neighbors * r.elements * 4,
                        .cache_bytes = 50'000'000,
                        .tile_elements = r.elements,
                        .reads_edges_by_id = r.edge_bytes > 0,
                        .groups = {.half_of_tile = r.half_of_tile, .has_softmax = r.has_softmax},
                        .edge_bytes = r.edge_bytes};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[static_cast<std::size_t>(r.degree)] += half;
    counts[static_cast<std::size_t>(r.other_degree)] += half;
    return automatic{}.split(degree_histogram(work, std::max(r.degree, r.other_degree), counts, r.spread, r.spread));
  };
  auto const is_tiled = [&](rows r) { return split(r).tile == 64; };
  CHECK(is_tiled({}));
  CHECK(is_tiled({.elements = 192}));
  CHECK_FALSE(is_tiled({.elements = 128}));  // by half the threads such rows gain as much
  CHECK_FALSE(is_tiled({.half_of_tile = 0}));
  CHECK_FALSE(is_tiled({.has_softmax = true}));
  CHECK(is_tiled({.neighbors = 9766, .degree = 30, .other_degree = 30}));  // more than 10 megabytes
  CHECK_FALSE(is_tiled({.neighbors = 9764, .degree = 30, .other_degree = 30}));
  CHECK_FALSE(is_tiled({.neighbors = 9766, .degree = 29, .other_degree = 30}));  // by all threads
  CHECK(is_tiled({.degree = 8, .other_degree = 8}));
  CHECK_FALSE(is_tiled({.degree = 7, .other_degree = 8}));
  CHECK_FALSE(is_tiled({.spread = 0.59}));  // as stored

  rows const in_windows{.elements = 128, .spread = 0.4, .degree = 10, .other_degree = 30};
  CHECK(has_windows(split(in_windows).order));
  CHECK(is_tiled(in_windows));
  rows fewer = in_windows;
  fewer.other_degree = 29;
  CHECK_FALSE(is_tiled(fewer));

  // Where ids are read again for each tile, features should be larger than four fifths of the cache.
  CHECK_FALSE(is_tiled({.neighbors = 39062, .edge_bytes = 4'000'000}));
  CHECK(is_tiled({.neighbors = 39064, .edge_bytes = 4'000'000}));
  CHECK_FALSE(is_tiled({.neighbors = 39064, .degree = 9, .edge_bytes = 4'000'000}));
  CHECK_FALSE(is_tiled({.neighbors = 39064, .edge_bytes = 12'500'001}));
  CHECK(split({.neighbors = 39064, .edge_bytes = 4'000'000}).threads == group_threads::half);

  CHECK(split({}).threads == group_threads::half);
  CHECK(split({.neighbors = 28512}).threads == group_threads::half);
  CHECK(split({.neighbors = 28510}).threads == group_threads::all);
  CHECK_FALSE(is_tiled({.neighbors = 28510}));
  CHECK(split({.degree = 64, .other_degree = 65}).threads == group_threads::all);
  CHECK(split(in_windows).threads == group_threads::half);
  rows longer = in_windows;
  longer.degree = 100;
  longer.other_degree = 300;
  CHECK(split(longer).threads == group_threads::half);
  longer.neighbors = 14256;
  longer.elements = 256;
  CHECK(split(longer).threads == group_threads::half);
  longer.neighbors = 14254;
  CHECK(split(longer).threads == group_threads::all);
}

TEST_CASE("automatic: half the threads where rows are short, many, and of a width that has two kinds of group",
          "[mapping]") {
  auto const threads = [](int half_group, std::int64_t degree, std::int64_t rows, bool has_softmax = false,
                          bool by_id = false) {
    workload const work{.num_rows = rows,
                        .num_edges = degree * rows,
                        .num_neighbors = rows,
                        .reads_edges_by_id = by_id,
                        .groups = {.half = half_group, .has_softmax = has_softmax}};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[static_cast<std::size_t>(degree)] = static_cast<std::int32_t>(rows);
    return automatic{}.split(degree_histogram(work, degree, counts)).threads;
  };
  constexpr int once = 132 * 1152 / 8;  // rows that fill the device by eight threads each
  CHECK(threads(8, 6, 6 * once / 10 + 1) == group_threads::half);
  CHECK(threads(8, 6, 6 * once / 10) == group_threads::all);
  CHECK(threads(8, 8, 8 * once / 10 + 1) == group_threads::half);
  CHECK(threads(8, 8, 8 * once / 10) == group_threads::all);
  CHECK(threads(8, 9, 4 * once) == group_threads::half);
  CHECK(threads(8, 9, 4 * once - 1) == group_threads::all);
  CHECK(threads(16, 9, once / 2) == group_threads::half);
  CHECK(threads(16, 9, once / 2 - 1) == group_threads::all);
  CHECK(threads(16, 65, 2 * once) == group_threads::all);
  CHECK(threads(16, 9, 2 * once, false, true) == group_threads::half);
  CHECK(threads(16, 9, 2 * once - 1, false, true) == group_threads::all);
  CHECK(threads(16, 9, 2 * once, true) == group_threads::half);
  CHECK(threads(16, 9, 2 * once - 1, true) == group_threads::all);
  CHECK(threads(8, 64, 4 * once) == group_threads::half);
  CHECK(threads(8, 65, 4 * once) == group_threads::all);
  CHECK(threads(8, 32, 4 * once, true) == group_threads::half);
  CHECK(threads(8, 33, 4 * once, true) == group_threads::all);
  CHECK(threads(8, 1, once / 2) == group_threads::half);
  CHECK(threads(8, 1, once / 2 - 1) == group_threads::all);
  CHECK(threads(8, 0, 0) == group_threads::all);
  CHECK(threads(0, 3, 4 * once) == group_threads::all);
}

TEST_CASE("automatic: all threads where the longest piece takes as long as everything", "[mapping]") {
  auto const threads = [](int rows, std::int64_t hub) {
    workload const work{
        .num_rows = rows + 1, .num_edges = 5 * rows + hub, .num_neighbors = rows, .groups = {.half = 8}};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[5] = rows;
    counts[static_cast<std::size_t>(edgewise::detail::histogram_class(hub))] += 1;
    return automatic{}.split(degree_histogram(work, hub, counts)).threads;
  };
  CHECK(threads(160000, 12000) == group_threads::half);  // cut at 109 edges
  CHECK(threads(100000, 12000) == group_threads::all);
  CHECK(threads(100000, 100) == group_threads::half);  // at 64
}

TEST_CASE("automatic: by degree where features are cached, though rows side by side share some neighbors",
          "[mapping]") {
  constexpr std::int64_t mega = 1 << 20;
  auto const order = [](double spread, std::int64_t neighbor_bytes, int num_neighbors = 20000) {
    workload const work{.num_rows = 20000,
                        .num_edges = 600000,
                        .num_neighbors = num_neighbors,
                        .neighbor_bytes = neighbor_bytes,
                        .cache_bytes = 60 * mega};
    std::vector<std::int32_t> counts(edgewise::detail::degree_histogram_classes);
    counts[20] = 10000;
    counts[40] = 10000;
    return automatic{}.split(degree_histogram(work, 40, counts, spread)).order;
  };
  CHECK(order(0.5, 20 * mega) == row_order::degree);
  CHECK(order(0.49, 20 * mega) == row_order::windows);
  CHECK(order(0.5, 20 * mega + 1) == row_order::windows);
  CHECK(order(0.9, 20 * mega + 1) == row_order::degree);
  CHECK(order(0.5, 0) == row_order::windows);  // not known
  CHECK(order(0.5, 20 * mega, 20 * mega / 128) == row_order::degree);
  CHECK(order(0.5, 20 * mega, 20 * mega / 128 + 1) == row_order::windows);  // rows of fewer bytes
}

TEST_CASE("automatic: without degrees, feature_adaptive_group", "[mapping]") {
  workload const work{1000, 70000};
  CHECK(automatic{}.split(work) == feature_adaptive_group{}.split(work));
  auto const graph = one_hub(700);
  std::vector<float> const values(static_cast<std::size_t>(graph.num_sources));
  auto const in = bindings(bind<h>(wide(values.data(), graph.num_sources, 1)));
  auto const kernel = fuse(edgewise::graph{graph.csr()}, automatic{}, gather<sum>(src<h>));
  CHECK(kernel.plan(cpu{}, in).policy().by_destination ==
        automatic{}.split({graph.num_destinations, graph.num_edges()}));
  CHECK_NOTHROW(kernel.plan_for_capacity(cpu{}, in));
}
