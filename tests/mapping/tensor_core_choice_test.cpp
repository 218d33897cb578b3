// What tensor_core and automatic decide of tiles, from sizes alone.
#include <edgewise/edgewise.hpp>

#include <vector>

#include "support/catch.hpp"

using namespace edgewise;

namespace {

struct h;
struct w;

/// Cached rows of 64 elements of 16 bits, so many columns per edge.
workload of(std::int64_t rows, std::int64_t edges, double columns_per_edge) {
  workload work;
  work.num_rows = work.num_neighbors = rows;
  work.num_edges = edges;
  work.num_tiles = static_cast<std::int64_t>(static_cast<double>(edges) * columns_per_edge / wsb_tile_columns);
  work.neighbor_bytes = rows * 128;
  work.storage_of_tiles = tiled_storage::bits16;
  work.cache_bytes = 50 << 20;
  work.head_channels = 64;
  return work;
}
/// Heads of so many channels.
workload of_heads(std::int64_t channels, double columns_per_edge, bool has_products) {
  workload work = of(50000, 20000000, columns_per_edge);
  work.head_channels = channels;
  work.has_products = has_products;
  return work;
}
workload beyond_the_cache(workload work) {
  work.neighbor_bytes = 2 * work.cache_bytes;
  return work;
}
tile_use chosen(workload work) { return detail::automatic_over_tiles{}.split(work).tiles; }

}  // namespace

TEST_CASE("automatic over tiles: takes them where edges share columns", "[mapping][tiles]") {
  CHECK(chosen(of(50000, 20000000, 0.3)) == tile_use::taken);
  CHECK(chosen(of(50000, 20000000, 0.5)) == tile_use::left);
  CHECK(chosen(beyond_the_cache(of(50000, 20000000, 0.5))) == tile_use::taken);
  CHECK(chosen(of(500, 20000, 0.1)) == tile_use::left);  // a launch takes longer than the edges
  CHECK(chosen(of(50000, 20000000, 0)) == tile_use::left);
}

TEST_CASE("automatic over tiles: heads that are narrower than what a warp holds", "[mapping][tiles]") {
  CHECK(chosen(of_heads(64, 0.5, true)) == tile_use::taken);
  CHECK(chosen(of_heads(64, 0.8, true)) == tile_use::left);
  CHECK(chosen(beyond_the_cache(of_heads(64, 0.8, true))) == tile_use::taken);
  CHECK(chosen(of_heads(32, 0.3, true)) == tile_use::taken);
  CHECK(chosen(of_heads(32, 0.5, true)) == tile_use::left);
  for (bool const has_products : {false, true}) {
    CHECK(chosen(of_heads(8, 0.3, has_products)) == tile_use::left);
    CHECK(chosen(of_heads(16, 0.3, has_products)) == tile_use::left);
    CHECK(chosen(of_heads(128, 0.3, has_products)) == tile_use::taken);
    CHECK(chosen(of_heads(128, 0.5, has_products)) == tile_use::left);
    CHECK(chosen(of_heads(80, 0.3, has_products)) == tile_use::left);
  }
  CHECK(chosen(of_heads(32, 0.3, false)) == tile_use::left);
  CHECK(chosen(of_heads(256, 0.3, false)) == tile_use::taken);
}

TEST_CASE("tiles: rows that they do not take are walked by a schedule for all rows", "[mapping][tiles]") {
  workload work = of(50000, 20000000, 0.3);
  CHECK(tensor_core_tf32{}.split(work).tiles == tile_use::taken);
  work.storage_of_tiles = tiled_storage::float32;
  CHECK(chosen(work) == tile_use::left);
  CHECK(tensor_core{}.split(work).tiles == tile_use::left);
  CHECK(tensor_core_tf32{}.split(work).tiles == tile_use::taken);
  work.storage_of_tiles = tiled_storage::none;
  CHECK(tensor_core_tf32{}.split(work).tiles == tile_use::left);
  schedule_policy<tf32_tile_split> const policy{.by_destination = {.max_tiles = 48}};
  CHECK(parse_policy<tf32_tile_split>(to_string(policy)) == policy);
  CHECK_THROWS(parse_policy<tile_split>(to_string(policy)));
}

TEST_CASE("tensor_core: cuts windows where there are too few for a GPU", "[mapping][tiles]") {
  // 3125 windows of 120 tiles: two pieces for each warp. Rows of 1024 bytes make warps enough.
  workload work = of(50000, 20000000, 0.3);
  CHECK(tensor_core{}.split(work).max_tiles == 91);
  work.neighbor_bytes = work.num_neighbors * 1024;
  CHECK(tensor_core{}.split(work).max_tiles == 480);
  CHECK(tensor_core{}.split(of(8000, 200000, 0.5)).max_tiles == 32);
  CHECK(tensor_core{}.split(of(0, 0, 0)).max_tiles == 32);
  CHECK(tensor_core{.max_tiles = 7}.split(work).max_tiles == 7);
}

TEST_CASE("automatic over tiles: a plan says what it takes, and is made again from it", "[mapping][tiles]") {
  std::vector<int> const sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};
  auto const edges = make_coo(vertices(3), sources, destinations);
  auto const rows = to_wsb(cpu{}, to_csr(cpu{}, edges));
  auto const columns = to_wsb(cpu{}, to_csc(cpu{}, edges));
  std::vector<float> const H{1, 2, 4}, W{1, 1, 1, 1};
  auto const in = bindings(bind<h>(wide(H.data(), 3, 1)), bind<w>(per_row(W.data(), 4)));
  auto const kernel = fuse(graph{rows, columns}, automatic{}, gather<sum>(edge<w> * src<h>));
  auto const plan = kernel.plan(cpu{}, in);
  CHECK(plan.policy().by_destination.tiles == tile_use::left);
  CHECK(plan.explain().find("mapping: automatic") != std::string::npos);
  CHECK(plan.explain().find("tiles=left") != std::string::npos);
  auto policy = parse_policy<tile_split>(to_string(plan.policy()));
  CHECK(policy == plan.policy());
  policy.by_source.max_tiles = 0;
  CHECK_THROWS_WITH(kernel.plan(cpu{}, in, policy), "plan: tile_split with max_tiles = 0, which is not positive");
  std::vector<float> out(3);
  kernel.plan(cpu{}, in, plan.policy()).forward(cpu{}, in, edgewise::out(wide(out.data(), 3, 1)));
  CHECK(out == std::vector<float>{1, 5, 2});
}
