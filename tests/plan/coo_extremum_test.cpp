#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

#include "check_case.hpp"
#include "coo_cases.hpp"
#include "coo_run.hpp"
#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;
using edgewise::detail::extremum_code;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Floats in ascending order: infinities, denormals and both zeros' neighbors among them.
std::vector<float> ascending() {
  float const tiny = std::numeric_limits<float>::denorm_min();
  float const huge = std::numeric_limits<float>::max();
  return {-infinity, -huge, -2, -1.5f, -tiny, 0, tiny, 1, 1.5f, huge, infinity};
}

/// A row's message as it came, whose ties and zeros show which edge was taken.
struct extremum_of_rows {
  static constexpr auto program = gather<edgewise::max>(src<h>);
};

}  // namespace

TEST_CASE("scatter: words are ordered as messages are", "[plan]") {
  using largest = extremum_code<scatter_form::largest>;
  using smallest = extremum_code<scatter_form::smallest>;
  auto const floats = ascending();
  for (std::size_t i = 0; i < floats.size(); ++i) {
    INFO(floats[i]);
    for (std::uint32_t const position : {0u, 1u, 0x7fffffffu}) {
      CHECK(largest::encode(floats[i], position) > 0);
      CHECK(largest::value(largest::encode(floats[i], position)) == floats[i]);
      CHECK(largest::position(largest::encode(floats[i], position)) == position);
      CHECK(smallest::encode(floats[i], position) > 0);
      CHECK(smallest::value(smallest::encode(floats[i], position)) == floats[i]);
      CHECK(smallest::position(smallest::encode(floats[i], position)) == position);
    }
    CHECK(largest::encode(floats[i], 4) > largest::encode(floats[i], 5));
    CHECK(smallest::encode(floats[i], 4) > smallest::encode(floats[i], 5));
    CHECK(largest::encode(not_a_number, 5) > largest::encode(floats[i], 4));
    CHECK(smallest::encode(not_a_number, 5) > smallest::encode(floats[i], 4));
    if (i == 0) continue;
    CHECK(largest::encode(floats[i], 5) > largest::encode(floats[i - 1], 4));
    CHECK(smallest::encode(floats[i - 1], 5) > smallest::encode(floats[i], 4));
  }
}

TEST_CASE("scatter: words hold -0 equal to +0 and keep its sign", "[plan]") {
  using code = extremum_code<scatter_form::largest>;
  CHECK(code::encode(-0.0f, 1) > code::encode(0.0f, 2));
  CHECK(code::encode(0.0f, 1) > code::encode(-0.0f, 2));
  CHECK(std::signbit(code::value(code::encode(-0.0f, 1))));
  CHECK(!std::signbit(code::value(code::encode(0.0f, 1))));
  CHECK(std::isnan(code::value(code::encode(not_a_number, 1))));
  CHECK(code::position(code::encode(-not_a_number, 7)) == 7);
  CHECK(same_bits(std::vector<float>{code::value(0)}, std::vector<float>{0.0f}));
}

TEMPLATE_TEST_CASE("scatter: extrema equal the fold over rows to the bit", "[plan]", scattered_extremum<edgewise::max>,
                   scattered_extremum<edgewise::min>) {
  random_stream random("scatter: special values");
  std::vector<float> const values{-0.0f, 0.0f, -0.0f, 0.0f, 0.0f, -1, 1, -infinity, infinity, not_a_number};
  for (auto const& graph : {multi_edges(), border_degrees(), random_skewed()}) {
    // NaN and infinity hide all else in long rows: leave more and more of them out.
    for (int const used : {4, 7, 9, 10}) {
      auto request = draw_request<TestType, float>(graph, {2, 6}, random);
      std::fill(request.operands.at(0).begin(), request.operands.at(0).end(), 1.0f);
      for (float& x : request.operands.at(1)) x = values[static_cast<std::size_t>(random.below(used))];
      request.grad_out = draw_values<float>(request.grad_out.size(), draw::grid, random);
      request.asked_set = 0;
      INFO(graph.name << ", " << used << " values");
      auto const rows = run_on_host<TestType>(request);
      auto const edges = run_scattered<TestType>(host_machine{}, request, edge_order::by_destination);
      CHECK(same_bits(edges.out, rows.out));
      CHECK(same_bits(edges.gradients[0], rows.gradients[0]));
      CHECK(edges.gradients[1] == rows.gradients[1]);  // sums of adjoints, exact in any order
    }
  }
}

TEST_CASE("scatter: a tie goes to the earlier position, whatever its id", "[plan]") {
  // Three edges into destination 0 with equal messages; the ids descend.
  std::vector<int> const sources{2, 0, 1}, destinations{0, 0, 0}, ids{2, 1, 0};
  auto const coo = make_coo({.sources = 3, .destinations = 2}, sources, destinations, ids);
  std::vector<float> const features{4, 4, 4}, adjoint{5, 7};
  std::vector<float> values(2, -1), gradient(3, -1);
  auto const in = bindings(bind<h>(per_row(features.data(), 3)));
  auto const plan = fuse(graph{coo}, edge_balanced{}, extremum_of_rows::program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(per_row(values.data(), 2)), saved);
  plan.backward(cpu{}, in, saved, grad_out(per_row(adjoint.data(), 2)), grad<h>(per_row(gradient.data(), 3)));
  CHECK(values == std::vector<float>{4, 0});
  CHECK(gradient == std::vector<float>{0, 0, 5});
  CHECK(std::vector<int>(saved.argument().data, saved.argument().data + 2) == std::vector<int>{2, -1});
}
