#include "argument_cases.hpp"

#include <limits>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("argument edges: values and gradients on the battery", "[program]", range_of_neighbors,
                   unordered<range_of_neighbors> EDGEWISE_MORE_CASES(max_of_edge_products, layer_of_differences,
                                                                     max_of_scaled, max_of_scores)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("argument edges: in double", "[program]", range_of_neighbors, max_of_edge_products) {
  check_case<TestType, double>(run_on_host<TestType, double>, {directed(), random_skewed()});
}

TEST_CASE("argument edges: gradients of sources need no grouping by source", "[program]") {
  test_graph const edges = random_skewed(60, 300);
  random_stream random("argument edges: one grouping");
  auto const request = draw_request<range_of_neighbors, float>(edges, {1, 5}, random);
  auto const in = bindings(bind<h>(wide(request.operands[0].data(), edges.num_sources, 5)));
  auto const gradient_over = [&](auto const& g) {
    auto const plan = fuse(g, automatic{}, range_of_neighbors::program).plan(cpu{}, in);
    auto saved = plan.make_saved(cpu{});
    std::vector<float> value(request.grad_out.size());
    std::vector<float> gradient(request.operands[0].size(), 77);
    plan.forward(cpu{}, in, out(wide(value.data(), edges.num_destinations, 5)), saved);
    plan.backward(cpu{}, in, saved, grad_out(wide(request.grad_out.data(), edges.num_destinations, 5)),
                  grad<h>(wide(gradient.data(), edges.num_sources, 5)));
    return gradient;
  };
  auto const alone = gradient_over(graph{edges.csr()});
  auto const both = gradient_over(graph{edges.csr(), edges.csc()});  // narrow rows: by traversals
  auto const expected = reference_of<range_of_neighbors>(request).whole(0);
  CHECK(compare(alone, expected, {.k = 4}));
  CHECK(compare(both, expected, {.k = 4}));
}

TEST_CASE("argument edges: the first vertex's self edge is no edge of the graph", "[program]") {
  int const offsets[] = {0, 1, 2};
  int const neighbors[] = {1, 0, 1};  // the last is behind the graph's edges, where the self edge's id points
  csr_view<int, int> const csr{{offsets, neighbors, nullptr, 2, 2, 2}};
  std::vector<float> const rows{5, 1}, adjoint{2, 3};
  std::vector<float> value(2), gradient(2);
  auto const in = bindings(bind<h>(per_row(rows.data(), 2)));
  auto const plan = fuse(graph{csr}, automatic{}, gather<edgewise::max>(with_self(src<h>))).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(per_row(value.data(), 2)), saved);
  plan.backward(cpu{}, in, saved, grad_out(per_row(adjoint.data(), 2)), grad<h>(per_row(gradient.data(), 2)));
  CHECK(value == std::vector<float>{5, 5});
  CHECK(gradient == std::vector<float>{5, 0});
}

TEST_CASE("argument edges: infinite and NaN adjoints reach the source that was picked", "[program]") {
  float const infinity = std::numeric_limits<float>::infinity();
  test_graph const edges = make_test_graph("adjoints", 3, 4, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 3}});
  int const channels = 40;
  std::vector<float> const rows = [&] {
    std::vector<float> x(3 * channels, 1);
    std::fill_n(x.begin() + channels, channels, 0.5f);  // row 1 loses to row 0 in destination 1
    return x;
  }();
  std::vector<float> adjoint(4 * channels, 2);
  adjoint[0 * channels + 3] = infinity;
  adjoint[1 * channels + 3] = -infinity;
  adjoint[2 * channels + 3] = infinity;
  adjoint[3 * channels + 5] = std::numeric_limits<float>::quiet_NaN();
  auto const in = bindings(bind<h>(wide(rows.data(), 3, channels)));
  auto const plan = fuse(graph{edges.csr(), edges.csc()}, automatic{}, gather<edgewise::max>(src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> value(4 * channels), gradient(3 * channels);
  plan.forward(cpu{}, in, out(wide(value.data(), 4, channels)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint.data(), 4, channels)),
                grad<h>(wide(gradient.data(), 3, channels)));
  CHECK(std::isnan(gradient[3]));
  CHECK(gradient[channels + 3] == infinity);
  CHECK(gradient[2 * channels + 3] == 2);
  CHECK(std::isnan(gradient[2 * channels + 5]));
  CHECK(gradient[4] == 4);
  CHECK(gradient[channels + 4] == 2);
}
