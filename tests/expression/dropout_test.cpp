// Masks as random numbers: how many are kept, and that they have nothing to do with each other.
#include <edgewise/expression/dropout.hpp>

#include <cmath>
#include <functional>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "support/graphs.hpp"
#include "support/mask.hpp"

using namespace edgewise;
using edgewise::detail::access;
using edgewise::detail::cuda_geometry;
using edgewise::detail::layout_need;
using edgewise::detail::packing;
using edgewise::testing::make_test_graph;

namespace {

struct h;
struct drop;
struct also;

constexpr int num_rows = 512, num_heads = 4, num_channels = 64;
constexpr std::size_t num_elements = std::size_t{num_rows} * num_heads * num_channels;

/// A graph of loops, the edge of row v having id v, and ones on it.
struct fixture {
  testing::test_graph const edges = [] {
    testing::edge_list loops;
    for (int v = 0; v < num_rows; ++v) loops.push_back({v, v});
    return make_test_graph("loops", num_rows, num_rows, loops);
  }();
  std::vector<float> ones = std::vector<float>(num_elements, 1.0f);

  /// What dropout makes of ones: [rows, heads, channels].
  std::vector<float> mask(random_state state, int stream, double p, bool of_rows = false) const {
    std::vector<float> result(num_elements);
    auto const view = wide(ones.data(), num_rows, num_heads, num_channels);
    auto const in = bindings(bind<h>(view), bind<drop>(random_numbers(&state, stream)));
    auto const to = out(wide(result.data(), num_rows, num_heads, num_channels));
    graph const g{edges.csr()};
    if (of_rows) {
      fuse(g, automatic{}, dropout<drop>(gather<sum>(src<h>), p)).plan(cpu{}, in).forward(cpu{}, in, to);
    } else {
      fuse(g, automatic{}, gather<sum>(dropout<drop>(src<h>, p))).plan(cpu{}, in).forward(cpu{}, in, to);
    }
    return result;
  }
};

/// How many standard deviations a count is off what n draws of probability p give.
double deviations(double count, double n, double p) { return (count - n * p) / std::sqrt(n * p * (1 - p)); }

double count_kept(std::vector<float> const& mask) {
  double kept = 0;
  for (float x : mask) kept += x != 0 ? 1 : 0;
  return kept;
}

/// Deviations of the number of positions where both of two masks keep, were they independent; `shift` moves the second.
double dependence(std::vector<float> const& a, std::vector<float> const& b, std::size_t shift, double p) {
  double both = 0;
  for (std::size_t i = 0; i + shift < a.size(); ++i) both += a[i] != 0 && b[i + shift] != 0 ? 1 : 0;
  return deviations(both, static_cast<double>(a.size() - shift), (1 - p) * (1 - p));
}

}  // namespace

TEST_CASE("dropout: keeps the share that it should, scaled", "[expression]") {
  fixture const f;
  for (double const p : {0.1, 0.5, 0.9}) {
    auto const mask = f.mask({1, 0}, 0, p);
    CHECK(std::abs(deviations(count_kept(mask), num_elements, 1 - p)) < 5);
    double const drops = std::round(p * 65536);
    auto const scale = static_cast<float>(65536 / (65536 - drops));
    for (float x : mask) {
      if (x != 0) REQUIRE(x == scale);
    }
  }
}

TEST_CASE("dropout: elements, heads and edges are independent", "[expression]") {
  fixture const f;
  double const p = 0.3;
  auto const mask = f.mask({2, 0}, 0, p);
  for (std::size_t const shift :
       {1, 2, 3, 4, num_channels, 2 * num_channels, num_heads * num_channels, 256 * num_heads}) {
    INFO("shifted by " << shift);
    CHECK(std::abs(dependence(mask, mask, shift, p)) < 5);
  }
}

TEST_CASE("dropout: seeds, steps, streams, edges and rows have nothing to do with each other", "[expression]") {
  fixture const f;
  double const p = 0.3;
  auto const mask = f.mask({3, 5}, 1, p);
  CHECK(dependence(mask, mask, 0, p) > 100);  // the test itself can tell
  CHECK(mask == f.mask({3, 5}, 1, p));
  CHECK(std::abs(dependence(mask, f.mask({4, 5}, 1, p), 0, p)) < 5);
  CHECK(std::abs(dependence(mask, f.mask({3ull + (1ull << 32), 5}, 1, p), 0, p)) < 5);
  CHECK(std::abs(dependence(mask, f.mask({3, 6}, 1, p), 0, p)) < 5);
  CHECK(std::abs(dependence(mask, f.mask({3, 5}, 2, p), 0, p)) < 5);
  CHECK(std::abs(dependence(mask, f.mask({3, 5}, 1, p, true), 0, p)) < 5);
}

namespace {

/// Counts channels of rows of heads x channels whose bit is not what its own word says; all threads and tiles of a
/// geometry.
template <class Geometry>
int count_wrong_bits(layout_need need, int heads, int channels) {
  random_state const state{12, 3};
  mask_key const key = make_mask_key({12, 3, 4});
  std::uint64_t const number = 77;
  std::uint32_t const threshold = 0x60000000;
  auto const layout =
      detail::make_row_layout(need, heads, channels, Geometry::capacity_chunks, Geometry::channels_per_chunk, true);
  REQUIRE(layout.num_tiles > 0);
  register_value<std::uint64_t, extent::uniform, 1, Geometry::max_chunks, Geometry::channels_per_chunk> const numbers{
      {{{number}}}};
  std::vector<int> seen(static_cast<std::size_t>(heads) * channels);
  int wrong = 0;
  for (int tile = 0; tile < layout.num_tiles; ++tile) {
    for (int thread = 0; thread < Geometry::group_size; ++thread) {
      Geometry const geo(layout, tile, thread);
      auto const kept = detail::draw_kept<extent::wide>(geo, key, random_owner::edge, threshold, numbers);
      for (int c = 0; c < Geometry::max_chunks; ++c) {
        for (int l = 0; l < geo.valid_channels(c); ++l) {
          int const element = geo.offset(c) + l;
          auto const bits = testing::mask_bits(state, 4, random_owner::edge, number, element);
          if ((kept.at(0, c, 0) >> l & 1u) != (bits >= threshold >> 16 ? 1u : 0u)) ++wrong;
          ++seen.at(static_cast<std::size_t>(element));
        }
      }
    }
  }
  for (int times : seen) CHECK(times == 1);
  return wrong;
}

}  // namespace

TEST_CASE("dropout: an element's word is its own on every geometry of a device", "[expression]") {
  using enum layout_need;
  CHECK(count_wrong_bits<cuda_geometry<32, 2, 4>>(flat, 4, 65 * 4) == 0);
  CHECK(count_wrong_bits<cuda_geometry<32, 6, 1>>(flat, 3, 71) == 0);
  CHECK(count_wrong_bits<cuda_geometry<2, 1, 4, access::element>>(flat, 1, 7) == 0);
  CHECK(count_wrong_bits<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>(whole_heads, 3, 12) == 0);
  CHECK(count_wrong_bits<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>(whole_heads, 5, 33) == 0);
  CHECK(count_wrong_bits<cuda_geometry<512, 8, 4, access::element, packing::padded>>(whole_heads, 3, 2305) == 0);
}

TEST_CASE("dropout: probability 0 is the identity, to the bit", "[expression]") {
  fixture const f;
  CHECK(f.mask({3, 5}, 1, 0.0) == f.ones);
  CHECK(f.mask({3, 5}, 1, 0.0, true) == f.ones);
}

TEST_CASE("dropout: the plan of training serves inference, which binds no_dropout", "[expression]") {
  fixture const f;
  random_state const state{3, 5};
  auto const view = wide(f.ones.data(), num_rows, num_heads, num_channels);
  auto const in = bindings(bind<h>(view), bind<drop>(random_numbers(&state)));
  graph const g{f.edges.csr()};
  auto const plan = fuse(g, automatic{}, dropout<drop>(gather<sum>(dropout<drop>(src<h>, 0.5)), 0.75)).plan(cpu{}, in);
  std::vector<float> result(num_elements);
  auto const to = out(wide(result.data(), num_rows, num_heads, num_channels));
  plan.forward(cpu{}, in, to);
  CHECK(result != f.ones);
  plan.forward(cpu{}, bindings(bind<h>(view), bind<drop>(no_dropout())), to);
  CHECK(result == f.ones);
}

TEST_CASE("dropout: what is dropped is 0 even where it is not finite", "[expression]") {
  fixture f;
  auto const mask = f.mask({6, 0}, 0, 0.5);
  for (std::size_t i = 0; i < num_elements; ++i) f.ones[i] = mask[i] != 0 ? 1.0f : std::nanf("");
  CHECK(f.mask({6, 0}, 0, 0.5) == mask);
}

namespace {

std::string refusal(std::function<void()> const& run) {
  try {
    run();
  } catch (invalid_argument const& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("dropout: probabilities outside of [0, 1) are refused", "[expression]") {
  CHECK(refusal([] { dropout<drop>(src<h>, 0.999); }) == "");
  CHECK_THAT(refusal([] { dropout<drop>(src<h>, 1.0); }), Catch::Contains("dropout: probability = 1 is not in [0, 1)"));
  CHECK_THAT(refusal([] { dropout<drop>(src<h>, -0.1); }), Catch::Contains("-0.1"));
  CHECK_THAT(refusal([] { dropout<drop>(src<h>, std::nan("")); }), Catch::Contains("nan"));
}

TEST_CASE("dropout: streams and states that cannot be are refused", "[expression]") {
  fixture const f;
  CHECK_THAT(refusal([] { random_numbers(nullptr, 65536); }), Catch::Contains("stream 65536"));
  auto const in =
      bindings(bind<h>(wide(f.ones.data(), num_rows, num_heads, num_channels)), bind<drop>(random_numbers(nullptr)));
  auto const kernel = fuse(graph{f.edges.csr()}, automatic{}, gather<sum>(dropout<drop>(src<h>, 0.5)));
  CHECK_THAT(refusal([&] { kernel.plan(cpu{}, in); }), Catch::Contains("dropout<") && Catch::Contains("null pointer"));
}

TEST_CASE("dropout: two names that share a stream of a state are refused", "[expression]") {
  fixture const f;
  random_state const state{1, 2};
  auto const view = wide(f.ones.data(), num_rows, num_heads, num_channels);
  auto const kernel =
      fuse(graph{f.edges.csr()}, automatic{}, gather<sum>(dropout<drop>(src<h>, 0.5) * dropout<also>(src<h>, 0.5)));
  auto const apart = bindings(bind<h>(view), bind<drop>(random_numbers(&state)), bind<also>(random_numbers(&state, 1)));
  auto const same = bindings(bind<h>(view), bind<drop>(random_numbers(&state)), bind<also>(random_numbers(&state)));
  CHECK(refusal([&] { kernel.plan(cpu{}, apart); }) == "");
  CHECK_THAT(refusal([&] { kernel.plan(cpu{}, same); }), Catch::Contains("stream 0"));
}

TEST_CASE("dropout: explain names it", "[expression]") {
  fixture const f;
  random_state const state{1, 2};
  auto const in =
      bindings(bind<h>(wide(f.ones.data(), num_rows, num_heads, num_channels)), bind<drop>(random_numbers(&state)));
  auto const plan = fuse(graph{f.edges.csr()}, automatic{}, gather<sum>(dropout<drop>(src<h>, 0.5))).plan(cpu{}, in);
  CHECK_THAT(plan.explain(), Catch::Contains("drop>(src<") && Catch::Contains("recomputed, never stored"));
}
