// Rows that no cache holds are read a few channels at a time, from memory that the plan has for it.
#include <edgewise/edgewise.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/guarded_output.hpp"
#include "support/random.hpp"

using namespace edgewise;
using namespace edgewise::testing;
using edgewise::detail::staging_rule;

namespace {

struct h;
struct w;
struct d;

/// What a program leaves on a graph: its result and the gradients of h, of the vertices' own rows and of the weights.
template <class Program, class Storage>
auto run(Program const& program, test_graph const& edges, int heads, int channels, int gap, cpu const& exec) {
  random_stream random("staged rows");
  int const rows = edges.num_sources, elements = heads * channels, stride = elements + gap;
  auto const drawn = [&](std::size_t count) {
    std::vector<Storage> values(count);
    for (auto& value : values) value = from_double<Storage>(random.uniform(-1, 1));
    return values;
  };
  auto const features = drawn(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride));
  auto const own = drawn(static_cast<std::size_t>(rows) * static_cast<std::size_t>(elements));
  auto const weights = drawn(static_cast<std::size_t>(edges.num_edges()));
  auto const adjoint = drawn(static_cast<std::size_t>(rows) * static_cast<std::size_t>(elements));
  auto const in =
      bindings(bind<h>(wide(features.data(), rows, heads, channels, stride)),
               bind<w>(per_row(weights.data(), edges.num_edges())), bind<d>(wide(own.data(), rows, heads, channels)));
  auto const csr = edges.csr();
  auto const csc = edges.csc();
  auto const plan = fuse(graph{csr, csc}, vertex_balanced{}, program).plan(exec, in);
  auto const size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(elements);
  guarded_output<Storage> result(size), h_grad(size), d_grad(size), w_grad(static_cast<std::size_t>(edges.num_edges()));
  auto const whole = [&](auto& output) { return wide(output.data(), rows, heads, channels); };
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(whole(result)), saved);
  plan.backward(exec, in, saved, grad_out(wide(adjoint.data(), rows, heads, channels)), grad<h>(whole(h_grad)),
                grad<d>(whole(d_grad)), grad<w>(per_row(w_grad.data(), edges.num_edges())));
  std::vector<float> left;
  for (auto* output : {&result, &h_grad, &d_grad, &w_grad}) {
    for (Storage const value : output->values()) left.push_back(static_cast<float>(value));
  }
  return std::pair(left, plan.workspace_bytes());
}

double largest_difference(std::vector<float> const& a, std::vector<float> const& b) {
  REQUIRE(a.size() == b.size());
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    result = difference <= result ? result : difference;  // NaN counts
  }
  return result;
}

/// `caches`: those in which rows are staged.
template <class Storage = float, class Program>
void check(Program const& program, test_graph const& edges, int heads, int channels, int gap, cpu caches) {
  INFO(heads << " heads of " << channels << " channels, rows " << gap << " apart");
  auto const [whole, bytes] =
      run<Program, Storage>(program, edges, heads, channels, gap, {.threads = 1, .core_cache_bytes = 1 << 30});
  std::vector<float> first;
  for (int const threads : {1, 3, 16}) {
    caches.threads = threads;
    auto const [staged, more_bytes] = run<Program, Storage>(program, edges, heads, channels, gap, caches);
    CHECK(more_bytes > bytes);
    CHECK(largest_difference(staged, whole) < 1e-3);  // of sums up to 1000: compilers fuse operations of either
    if (first.empty()) first = staged;
    CHECK(std::memcmp(staged.data(), first.data(), staged.size() * sizeof(float)) == 0);
  }
}
template <class Storage = float, class Program>
void check(Program const& program, int heads, int channels, int gap = 0) {
  // 64 rows of 32 channels fit into the half.
  check<Storage>(program, random_skewed(64, 4200), heads, channels, gap, {.cache_bytes = 2 * 64 * 32 * 4});
}

}  // namespace

TEST_CASE("staged rows: what whole rows give", "[plan]") {
  auto const program = gather<edgewise::sum>(edge<w> * src<h> + dst<d>);
  check(program, 1, 96);
  check(program, 3, 37);
  check(program, 2, 40, 5);
  // 512 of 1500 rows fit as they lie, and are read 24 times each.
  check(program, random_skewed(1500, 36000), 1, 128, 0, {.core_cache_bytes = 512 * 128 * 4});
}

TEST_CASE("staged rows: means of float16", "[plan]") {
  check<float16>(gather<edgewise::mean>(src<h> * edge<w> + dst<d>), 1, 100);
}

TEST_CASE("staged rows: read often enough, by more than a cache holds", "[plan]") {
  cpu const exec{.cache_bytes = 1 << 20};
  auto const bytes = [&](std::int64_t rows, std::int64_t edges, std::int64_t of_row) {
    return staging_rule::of(exec, rows, edges, of_row).bytes;
  };
  CHECK(bytes(1000, 64000, 1024) == 1 << 19);
  CHECK(bytes(1000, 64000, 524) == 0);   // half of the cache holds all rows
  CHECK(bytes(1000, 63999, 1024) == 0);  // copying takes longer than it saves
  CHECK(bytes(0, 0, 1024) == 0);
  staging_rule const rule{1 << 19};
  CHECK(rule.channels(1000, 4, 32) == 64);
  CHECK(rule.channels(4096, 4, 32) == 32);
  CHECK(rule.channels(4097, 4, 32) == 0);
  CHECK(rule.channels(1000, 4, 0) == 0);  // rows that no tile takes without a mask
  CHECK(rule.within(1 << 10, 32).bytes == (1 << 10) - 256);
  CHECK(rule.within(0, 32).bytes == 0);
}

TEST_CASE("staged rows: a core's cache misses them often enough", "[plan]") {
  staging_rule const rule = staging_rule::near({.core_cache_bytes = 1 << 20});
  CHECK(rule.channels(1000, 4, 32) == 64);
  CHECK(rule.channels(4096, 4, 32) == 32);  // they fill the half
  CHECK(rule.channels(6656, 4, 32) == 32);
  CHECK(rule.channels(6657, 4, 32) == 0);  // and so much that nothing else has room
  CHECK(staging_rule::pays(7001, 1000));
  CHECK(!staging_rule::pays(7000, 1000));  // copying takes longer than it saves
  cpu const exec{.core_cache_bytes = 1 << 20};
  CHECK(staging_rule::memory_near<float>(exec, 1000, 7001, 512) == 1000 * 512 * 4 + 512 * 8);
  CHECK(staging_rule::memory_near<float>(exec, 1000, 7000, 512) == 0);
  CHECK(staging_rule::memory_near<float>(exec, 1000, 7001, 256) == 0);  // they fit as they lie
  CHECK(staging_rule::memory_near<float>(exec, 1 << 20, 1 << 30, 256) == 0);
}

TEST_CASE("staged rows: caches are asked of the system", "[plan]") {
  CHECK(edgewise::detail::last_cache_bytes() >= 1 << 14);
  CHECK(edgewise::detail::core_cache_bytes() >= 1 << 14);
  CHECK(edgewise::detail::read_last_cache_bytes("no such folder") == 16 << 20);
  std::string const folder = "staged_rows_test_caches";
  auto const write = [&](std::string const& index, char const* size, int level) {
    std::filesystem::create_directories(folder + "/index" + index);
    std::ofstream(folder + "/index" + index + "/size") << size << "\n";
    std::ofstream(folder + "/index" + index + "/level") << level << "\n";
  };
  write("0", "32K", 1);
  write("1", "33792K", 3);
  write("2", "2048K", 2);
  CHECK(edgewise::detail::read_last_cache_bytes(folder) == 33792 << 10);
  CHECK(edgewise::detail::read_core_cache_bytes(folder) == 2048 << 10);
  CHECK(edgewise::detail::read_core_cache_bytes("no such folder") == 1 << 19);
  std::filesystem::remove_all(folder);
}
