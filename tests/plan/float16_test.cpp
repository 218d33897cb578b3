// Plans over operands of several storage types: what they refuse and what they say.
#include <edgewise/core/float16.hpp>

#include <type_traits>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;

/// Three vertices, four edges, rows of two elements.
struct arrays {
  std::vector<int> sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};
  coo<> edges = make_coo(vertices(3), sources, destinations);
  csr<> by_destination = to_csr(cpu{}, edges);
  csc<> by_source = to_csc(cpu{}, edges);
  std::vector<bfloat16> features = std::vector<bfloat16>(6, bfloat16(1.0f));
  std::vector<float16> weights = std::vector<float16>(4, float16(0.5f));

  auto graphs() const { return graph{by_destination, by_source}; }
  auto bound() const { return bindings(bind<h>(wide(features.data(), 3, 2)), bind<w>(per_row(weights.data(), 4))); }
};

}  // namespace

TEST_CASE("16-bit storage: grad_out and the output are stored apart", "[plan]") {
  static_assert(std::is_same_v<accumulator_t<bfloat16>, float> && std::is_same_v<accumulator_t<float16 const>, float>);
  arrays const a;
  auto const in = a.bound();
  auto const plan = fuse(a.graphs(), automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<bfloat16> result(6), gradient(6);
  std::vector<float> const adjoint(6, 1.0f);
  plan.forward(cpu{}, in, out(wide(result.data(), 3, 2)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 3, 2)), grad<h>(wide(gradient.data(), 3, 2)));
  float const expected[] = {1, 1, 0.5f, 0.5f, 0.5f, 0.5f};  // vertex 0 has two edges out, the others one
  for (std::size_t i = 0; i < 6; ++i) CHECK(float(gradient[i]) == expected[i]);

  std::vector<float> wide_result(6), wide_gradient(6, -1.0f);  // the same plan, another output
  plan.forward(cpu{}, in, out(wide(wide_result.data(), 3, 2)), saved);
  CHECK(wide_result == std::vector<float>{0.5f, 0.5f, 1, 1, 0.5f, 0.5f});
  std::vector<bfloat16> const narrow(6, bfloat16(1.0f));
  plan.backward(cpu{}, in, saved, grad_out(wide(narrow.data(), 3, 2)), grad<h>(wide(wide_gradient.data(), 3, 2)));
  CHECK(wide_gradient == std::vector<float>(expected, expected + 6));
}

TEST_CASE("16-bit storage: an output that backward reads is stored as its adjoint", "[plan]") {
  arrays const a;
  auto const in = a.bound();
  auto const plan = fuse(a.graphs(), automatic{}, gather<sum>(softmax(edge<w>) * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<bfloat16> result(6);
  std::vector<float> adjoint(6, 1.0f), gradient(6, -1.0f);
  plan.forward(cpu{}, in, out(wide(result.data(), 3, 2)), saved);
  auto const run = [&](auto const* of_output) {
    plan.backward(cpu{}, in, saved, grad_out(wide(of_output, 3, 2)), grad<h>(wide(gradient.data(), 3, 2)));
  };
  CHECK_THROWS_WITH(run(adjoint.data()),
                    "backward: grad_out is stored as float, and the output of the forward pass, which this program's "
                    "backward reads, as bfloat16");
  CHECK(gradient == std::vector<float>(6, -1.0f));
  std::vector<bfloat16> const narrow(6, bfloat16(1.0f));
  run(narrow.data());
  CHECK(gradient == std::vector<float>{1.5f, 1.5f, 1, 1, 0.5f, 0.5f});  // the edges 0 -> 1 and 2 -> 1 weigh a half
}

TEST_CASE("16-bit storage: scattered sums are formed as float and rounded once", "[plan]") {
  arrays const a;
  auto const in = a.bound();
  auto const plan = fuse(graph{a.edges}, edge_balanced{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  CHECK(plan.workspace_bytes() == 64 * sizeof(float));  // sums of 3 x 2 elements, of the output or the gradient
  auto saved = plan.make_saved(cpu{});
  std::vector<float> result(6), gradient(6);
  std::vector<bfloat16> const adjoint(6, bfloat16(1.0f));
  plan.forward(cpu{}, in, out(wide(result.data(), 3, 2)), saved);
  CHECK(result == std::vector<float>{0.5f, 0.5f, 1, 1, 0.5f, 0.5f});
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 3, 2)), grad<h>(wide(gradient.data(), 3, 2)));
  CHECK(gradient == std::vector<float>{1, 1, 0.5f, 0.5f, 0.5f, 0.5f});

  std::vector<bfloat16> narrow(6), h_gradient(6, bfloat16(0.25f));
  plan.forward(cpu{}, in, out(wide(narrow.data(), 3, 2)), saved);
  for (int k = 0; k < 6; ++k) CHECK(static_cast<float>(narrow[k]) == result[k]);
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 3, 2)), accumulate<h>(wide(h_gradient.data(), 3, 2)));
  std::vector<float> const expected{1.25f, 1.25f, 0.75f, 0.75f, 0.75f, 0.75f};
  for (int k = 0; k < 6; ++k) CHECK(static_cast<float>(h_gradient[k]) == expected[k]);
}

TEST_CASE("16-bit storage: a plan over coo has memory for the larger of output and gradients", "[plan]") {
  coo_view<> const edges{nullptr, nullptr, nullptr, 100, 7, 0};  // 100 sources, 7 destinations
  std::vector<bfloat16> const of_sources(100 * 66), of_destinations(7 * 66), of_heads(100 * 2);
  std::vector<float> const floats(7 * 66);
  auto const padded = [](std::size_t elements) { return (elements + 63) / 64 * 64; };
  auto const bytes = [&](auto const& program, auto const& in) {
    return fuse(graph{edges}, edge_balanced{}, program).plan(cpu{}, in).workspace_bytes();
  };
  auto const sources = bind<h>(wide(of_sources.data(), 100, 2, 33));
  CHECK(bytes(gather<sum>(src<h> * dst<w>), bindings(sources, bind<w>(wide(of_destinations.data(), 7, 2, 33)))) ==
        (padded(100 * 66) + padded(7 * 66)) * 4);
  CHECK(bytes(gather<sum>(src<h> * dst<w>), bindings(sources, bind<w>(wide(floats.data(), 7, 2, 33)))) ==
        padded(100 * 66) * 4);
  CHECK(bytes(gather<sum>(src<h> * dst<w>),
              bindings(bind<h>(per_head(of_heads.data(), 100, 2)), bind<w>(wide(floats.data(), 7, 2, 33)))) ==
        padded(7 * 66) * 4);  // the output's
  CHECK(bytes(gather<edgewise::max>(src<h>), bindings(sources)) == padded(100 * 66) * 4 + 7 * 66 * 8);
}

TEST_CASE("16-bit storage: gradients over coo are added to, by name and by role", "[plan]") {
  arrays const a;
  std::vector<bfloat16> const adjoint(6, bfloat16(1.0f));
  auto const in = bindings(bind<h>(wide(a.features.data(), 3, 2)));
  auto const plan = fuse(graph{a.edges}, edge_balanced{}, gather<sum>(src<h> + dst<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<bfloat16> result(6), of_source(6, bfloat16(8.0f)), of_destination(6), whole(6);
  plan.forward(cpu{}, in, out(wide(result.data(), 3, 2)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 3, 2)),
                accumulate<src<h>>(wide(of_source.data(), 3, 2)), grad<dst<h>>(wide(of_destination.data(), 3, 2)));
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 3, 2)), grad<h>(wide(whole.data(), 3, 2)));
  float const edges_out[] = {2, 1, 1}, edges_in[] = {1, 2, 1};
  for (int k = 0; k < 6; ++k) {
    CHECK(static_cast<float>(of_source[k]) == 8 + edges_out[k / 2]);
    CHECK(static_cast<float>(of_destination[k]) == edges_in[k / 2]);
    CHECK(static_cast<float>(whole[k]) == edges_out[k / 2] + edges_in[k / 2]);
  }
}

TEST_CASE("16-bit storage: one tensor of edges and sources over coo", "[plan]") {
  // As many edges as sources, so that h can be both.
  std::vector<int> const sources{1, 1, 0}, destinations{0, 1, 1};
  coo_view<> const edges{sources.data(), destinations.data(), nullptr, 3, 2, 3};
  std::vector<bfloat16> const values{bfloat16(2.0f), bfloat16(3.0f), bfloat16(5.0f)};
  std::vector<bfloat16> const adjoint{bfloat16(1.0f), bfloat16(2.0f)};
  auto const in = bindings(bind<h>(per_row(values.data(), 3)));
  auto const plan = fuse(graph{edges}, edge_balanced{}, gather<sum>(edge<h> * src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<bfloat16> result(2), of_edges(3);
  plan.forward(cpu{}, in, out(per_row(result.data(), 2)), saved);
  plan.backward(cpu{}, in, saved, grad_out(per_row(adjoint.data(), 2)), grad<edge<h>>(per_row(of_edges.data(), 3)));
  float const expected[] = {3, 6, 4};  // the adjoint of the destination times the source's value
  for (int k = 0; k < 3; ++k) CHECK(static_cast<float>(of_edges[k]) == expected[k]);
}

TEST_CASE("16-bit storage: 10000 ones are scattered into 10000", "[plan]") {
  constexpr int leaves = 10000;
  std::vector<int> sources(leaves), destinations(leaves, 0);
  for (int k = 0; k < leaves; ++k) sources[k] = k;
  coo_view<> const edges{sources.data(), destinations.data(), nullptr, leaves, leaves, leaves};
  std::vector<bfloat16> const ones(leaves, bfloat16(1.0f));
  auto const in = bindings(bind<h>(per_row(ones.data(), leaves)));
  auto const plan = fuse(graph{edges}, edge_balanced{}, gather<sum>(src<h>)).plan(cpu{}, in);
  std::vector<float> exact(leaves);
  plan.forward(cpu{}, in, out(per_row(exact.data(), leaves)));
  CHECK(exact[0] == 10000);
  std::vector<bfloat16> rounded(leaves);
  plan.forward(cpu{}, in, out(per_row(rounded.data(), leaves)));
  CHECK(static_cast<float>(rounded[0]) == static_cast<float>(bfloat16(10000.0f)));
}

TEST_CASE("16-bit storage: explain counts bytes as they are stored", "[plan]") {
  arrays const a;
  auto const text = fuse(a.graphs(), automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, a.bound()).explain();
  CHECK_THAT(text, Catch::Contains("src<h>: wide [rows, heads, channels], 4 bytes a row"));
  CHECK_THAT(text, Catch::Contains("edge<w>: per_row [rows], 2 bytes a row"));
  CHECK_THAT(text, Catch::Contains("each edge: 6 bytes of operands"));
}

TEST_CASE("16-bit storage: rows of another size are not overwritten in place", "[plan]") {
  arrays a;
  std::vector<bfloat16> memory(12, bfloat16(1.0f));
  auto const in = bindings(bind<h>(wide(memory.data(), 3, 2)));
  auto const plan = fuse(a.graphs(), automatic{}, gather<sum>(dst<h>)).plan(cpu{}, in);
  auto* const floats = reinterpret_cast<float*>(memory.data());
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(floats, 3, 2))), Catch::Contains("out: is the array of dst<h>"));
  auto* const halves = reinterpret_cast<float16*>(memory.data());
  plan.forward(cpu{}, in, out(wide(halves, 3, 2)));
  CHECK(static_cast<float>(halves[2]) == 2);  // vertex 1 has two edges
}
