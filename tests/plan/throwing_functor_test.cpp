// What a user's function throws on the host comes out of the call, whatever thread it was thrown on.
#include <edgewise/edgewise.hpp>

#include <stdexcept>
#include <vector>

#include "support/catch.hpp"

using namespace edgewise;
using Catch::Contains;

namespace {

struct h;
struct b;

/// The square of numbers below 100.
struct careful_square {
  static constexpr char const* name = "careful_square";
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    if (x > 100) throw std::domain_error("careful_square: too large");
    return x * x;
  }
};

constexpr int num_vertices = 3000;
constexpr int channels = 24;
constexpr auto elements = static_cast<std::size_t>(num_vertices) * channels;

struct operands {
  std::vector<float> features = std::vector<float>(elements, 2);
  std::vector<float> bias = std::vector<float>(channels, 1);
  std::vector<float> y = std::vector<float>(elements), dh = y, db = std::vector<float>(channels);

  auto in() const {
    return bindings(bind<h>(wide(features.data(), num_vertices, channels)), bind<b>(wide(bias.data(), 1, channels)));
  }
  auto result() { return out(wide(y.data(), num_vertices, channels)); }
};

coo<> ring() {
  host_buffer<int> sources(num_vertices, host_memory()), destinations(num_vertices, host_memory());
  for (int v = 0; v < num_vertices; ++v) {
    sources[static_cast<std::size_t>(v)] = v;
    destinations[static_cast<std::size_t>(v)] = (v + 1) % num_vertices;
  }
  return {vertices(num_vertices), std::move(sources), std::move(destinations)};
}

/// A run goes well, one with a large number throws, and so does a backward pass; then all goes well again.
template <class Graph, class Mapping, class Program>
void check(Graph const& g, Mapping const& mapping, Program const& program, float* spoiled(operands&),
           bool reads_in_backward = true) {
  operands o;
  cpu const exec{.threads = 4};
  auto const in = o.in();
  auto const plan = fuse(g, mapping, program).plan(exec, in);
  auto saved = plan.make_saved(exec);
  auto const backward = [&] {
    plan.backward(exec, in, saved, grad_out(wide(o.y.data(), num_vertices, channels)),
                  grad<h>(wide(o.dh.data(), num_vertices, channels)), grad<b>(wide(o.db.data(), 1, channels)));
  };
  plan.forward(exec, in, o.result(), saved);
  auto const right = o.y;
  backward();
  float const good = std::exchange(*spoiled(o), 1000.f);
  if (reads_in_backward) CHECK_THROWS_AS(backward(), std::domain_error);
  CHECK_THROWS_WITH(plan.forward(exec, in, o.result(), saved), Contains("careful_square: too large"));
  CHECK_THROWS_WITH(backward(), Contains("backward: saved holds nothing"));
  *spoiled(o) = good;
  plan.forward(exec, in, o.result(), saved);
  CHECK(o.y == right);
  CHECK_NOTHROW(backward());
}

float* last_feature(operands& o) { return &o.features[elements / 2]; }
float* last_bias(operands& o) { return &o.bias.back(); }

}  // namespace

TEST_CASE("a function that throws: over rows, shares and edges that are not grouped", "[plan]") {
  auto const edges = ring();
  auto const csr = to_csr(cpu{}, edges);
  auto const csc = to_csc(cpu{}, edges);
  constexpr auto of_edges = gather<sum>(apply(careful_square{}, src<h>) * param<b>);
  check(graph{csr, csc}, vertex_balanced{}, of_edges, last_feature);
  check(graph{csr, csc}, edge_balanced{}, of_edges, last_feature);
  check(graph{edges}, edge_balanced{}, of_edges, last_feature);
}

TEST_CASE("a function that throws: before the rows, of a parameter, and behind them", "[plan]") {
  auto const edges = ring();
  auto const csr = to_csr(cpu{}, edges);
  auto const csc = to_csc(cpu{}, edges);
  check(graph{csr, csc}, vertex_balanced{}, gather<sum>(apply(careful_square{}, param<b>) * src<h>), last_bias);
  check(graph{csr, csc}, vertex_balanced{}, apply(careful_square{}, gather<sum>(src<h>)) + param<b>, last_feature,
        false);  // backward reads the kept sums
}
