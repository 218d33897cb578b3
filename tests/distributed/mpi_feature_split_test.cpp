// Heads or channels dealt to ranks: the values of one rank, bit for bit.
#include <vector>

#include "mpi_ranks.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

using split_type = feature_split<mpi_communicator, float>;

std::vector<float> draw_numbers(std::size_t size, char const* name) {
  random_stream random(name);
  std::vector<float> values(size);
  for (float& x : values) x = static_cast<float>(random.uniform(-1, 1));
  return values;
}
/// Rows that this rank owns.
std::vector<float> own_rows(std::vector<float> const& all, split_type const& split, std::int64_t row_size) {
  auto const first = edgewise::detail::gather_lists(world(), cpu{}, std::vector<std::int64_t>{split.num_own_rows()});
  std::int64_t before = 0;
  for (int q = 0; q < world().rank(); ++q) before += first[static_cast<std::size_t>(q)][0];
  return {all.begin() + before * row_size, all.begin() + (before + split.num_own_rows()) * row_size};
}

}  // namespace

TEST_CASE("feature_split: a layer of attention is that of one rank", "[distributed]") {
  auto const whole = random_skewed(200, 1500);
  graph const g{whole.csr(), whole.csc()};
  constexpr std::int64_t rows = 200;
  for (auto const& [heads, channels] : {std::pair(12, 3), std::pair(1, 24)}) {
    auto const owners = partition(whole.csr(), world().size(), by_edges{}).destinations;
    split_type const split(world(), cpu{}, owners, heads, channels);
    std::int64_t const size = std::int64_t{heads} * channels;
    auto const features = draw_numbers(rows * size, "feature_split: h"),
               adjoint = draw_numbers(rows * size, "feature_split: g");
    auto const weights = draw_numbers(static_cast<std::size_t>(whole.num_edges()), "feature_split: w");
    auto const bound = [&](float const* h_of, int of_heads, int of_channels) {
      return bindings(bind<h>(wide(h_of, rows, of_heads, of_channels)),
                      bind<scored_head_values::w>(per_row(weights.data(), whole.num_edges())));
    };
    auto const kernel = fuse(g, automatic{}, gather<sum>(softmax(edge<scored_head_values::w>) * src<h>));
    auto const run = [&](float const* x, float const* dy, float* y, float* dx, int of_heads, int of_channels) {
      auto const in = bound(x, of_heads, of_channels);
      auto const plan = kernel.plan(cpu{}, in);
      auto saved = plan.make_saved(cpu{});
      plan.forward(cpu{}, in, out(wide(y, rows, of_heads, of_channels)), saved);
      plan.backward(cpu{}, in, saved, grad_out(wide(dy, rows, of_heads, of_channels)),
                    grad<h>(wide(dx, rows, of_heads, of_channels)));
    };
    std::vector<float> value(rows * size), slope(rows * size);
    run(features.data(), adjoint.data(), value.data(), slope.data(), heads, channels);

    auto const own = own_rows(features, split, size), own_adjoint = own_rows(adjoint, split, size);
    int const own_heads = split.own_heads(), own_channels = split.own_channels();
    auto const slice = static_cast<std::size_t>(rows * own_heads * own_channels);
    std::vector<float> x(slice), y(slice), dy(slice), dx(slice);
    auto const all = [&](std::vector<float>& array) { return wide(array.data(), rows, own_heads, own_channels); };
    split.to_heads(cpu{}, wide(own.data(), split.num_own_rows(), heads, channels), all(x));
    split.to_heads(cpu{}, wide(own_adjoint.data(), split.num_own_rows(), heads, channels), all(dy));
    run(x.data(), dy.data(), y.data(), dx.data(), own_heads, own_channels);
    std::vector<float> own_value(own.size(), -7), own_slope(own.size(), -7);
    split.to_rows(cpu{}, all(y), wide(own_value.data(), split.num_own_rows(), heads, channels));
    split.to_rows(cpu{}, all(dx), wide(own_slope.data(), split.num_own_rows(), heads, channels));
    CHECK(same_bits(own_value, own_rows(value, split, size)));
    CHECK(same_bits(own_slope, own_rows(slope, split, size)));
    CHECK(split.sent_bytes() == split.num_own_rows() * size * (world().size() - 1) / world().size() * 4);
  }
}

TEST_CASE("feature_split: what it refuses", "[distributed]") {
  auto const owners = vertex_owners::of_ranges(std::vector<std::int64_t>(static_cast<std::size_t>(world().size()) + 1));
  if (world().size() > 1) {
    CHECK_THROWS_WITH(split_type(world(), cpu{}, owners, 1, world().size() + 1),
                      Catch::Contains(" channels cannot be dealt out to "));
  }
  CHECK_THROWS_WITH(split_type(world(), cpu{}, owners, 0, 60),
                    "feature_split: is of 0 heads x 60 channels, must be of at least 1 x 1");
  CHECK_THROWS_WITH(split_type(world(), cpu{}, vertex_owners::of_ranges({0, 4, 4, 4, 4, 4}), 1, 60),
                    Catch::Contains("owners of 5 ranks are given"));
  std::vector<std::int32_t> const list(4, 0);
  CHECK_THROWS_WITH(split_type(world(), cpu{}, vertex_owners::of_list(list, world().size()), 1, 60),
                    "vertex_owners: are a list, and no ranges of vertices");
  split_type const split(world(), cpu{}, owners, 12, 2);
  std::vector<float> values(8);
  CHECK_THROWS_WITH(split.to_heads(cpu{}, wide(values.data(), 1, 12, 2), wide(values.data(), 0, split.own_heads(), 2)),
                    "feature_split: to_heads: from has shape [1, 12, 2], must have [0, 12, 2]");
}

TEST_CASE("recommend_split: rows where few cross, features where all do", "[distributed]") {
  auto const split_of = [](test_graph const& graph) {
    auto const owners = partition(graph.csr(), world().size(), by_edges{});
    auto const part = make_part(cpu{}, graph.csr(), owners, world().rank());
    return recommend_split(world(), cpu{}, part);
  };
  CHECK(split_of(chain(100)) == rank_split::rows);
  edge_list all;
  for (int u = 0; u < 60; ++u) {
    for (int v = 0; v < 60; ++v) all.push_back({u, v});
  }
  // Each of R ranks reads the rows of all others, (R - 1) V / R, or sends 2 (R - 1) V / R^2.
  CHECK((split_of(make_test_graph("complete", 60, 60, all)) == rank_split::features) == (world().size() > 2));
}
