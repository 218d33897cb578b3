#include "concat_cases.hpp"

#include <algorithm>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "../format/message.hpp"
#include "gather/max_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("concat: values and gradients on the battery", "[program]", pna,
                   epilogues_in_float16 EDGEWISE_MORE_CASES(both_extrema, epilogues_side_by_side, attention_beside_mean,
                                                            numbers_of_heads, summed_and_averaged_heads,
                                                            numbers_of_rows, pna_in_bfloat16)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

namespace {

/// What a case's program computes of these operands.
template <class Case>
std::vector<float> values_of(run_request<float> request) {
  request.asked_set = -1;
  return run_on_host<Case, float>(request).out;
}

}  // namespace

TEST_CASE("concat: each part has the bits of its own program", "[program]") {
  random_stream random("parts apart");
  auto const graph = random_skewed();
  for (width const extents : {width{1, 33}, width{1, 8}}) {  // with one head, weights of rows are those of heads
    auto const request = draw_request<pna, float>(graph, extents, random);
    auto const together = values_of<pna>(request);
    std::vector<std::vector<float>> const apart{
        values_of<mean_of_weighted>(request), values_of<extremum_of_weighted<edgewise::max>>(request),
        values_of<extremum_of_weighted<edgewise::min>>(request), values_of<deviation_of_weighted>(request)};
    std::size_t const n = extents.elements(operand_kind::wide);
    std::vector<float> side_by_side;
    for (int row = 0; row < graph.num_destinations; ++row) {
      for (auto const& part : apart)
        side_by_side.insert(side_by_side.end(), part.begin() + row * n, part.begin() + (row + 1) * n);
    }
    CHECK(same_bits(together, side_by_side));
  }
}

TEST_CASE("concat: parts of one head may be given as one row of channels", "[program]") {
  std::vector<std::int32_t> const sources{0, 1, 1}, destinations{1, 0, 1};
  auto const edges = make_coo({.sources = 2, .destinations = 2}, sources, destinations);
  auto const csr = to_csr(cpu{}, edges);
  auto const csc = to_csc(cpu{}, edges);
  std::vector<float> const x{1, 2, 3, 4, 5, 6}, dy{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> y(12), dx(6);
  auto const in = bindings(bind<h>(wide(x.data(), 2, 3)));
  auto const plan =
      fuse(graph{csr, csc}, automatic{}, concat(gather<sum>(src<h>), gather<mean>(src<h>))).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(wide(y.data(), 2, 6)), saved);
  CHECK(y == std::vector<float>{4, 5, 6, 4, 5, 6, 5, 7, 9, 2.5f, 3.5f, 4.5f});
  plan.backward(cpu{}, in, saved, grad_out(wide(dy.data(), 2, 6)), grad<h>(wide(dx.data(), 2, 3)));
  // Vertex 0 is read by vertex 1, which takes the mean of two; vertex 1 by both.
  CHECK(dx == std::vector<float>{7 + 5, 8 + 5.5f, 9 + 6, 12 + 5, 13.5f + 7, 15 + 9});
  CHECK_THROWS_AS(plan.forward(cpu{}, in, out(wide(y.data(), 2, 5))), invalid_argument);
}

TEST_CASE("concat: its output has a row of all parts, which errors, explain and costs say", "[program]") {
  std::vector<std::int32_t> const sources{0, 1, 1}, destinations{1, 0, 1};
  auto const csr = to_csr(cpu{}, make_coo({.sources = 2, .destinations = 2}, sources, destinations));
  std::vector<float> x(2 * 2 * 3, 1), y(2 * 3 * 2 * 3, -1);
  auto const in = bindings(bind<h>(wide(x.data(), 2, 2, 3)));
  auto const sum_twice = concat(gather<sum>(src<h>), gather<mean>(src<h>));
  auto const plan = fuse(graph{csr}, automatic{}, sum_twice).plan(cpu{}, in);

  CHECK(message_of<invalid_argument>([&] { plan.forward(cpu{}, in, out(wide(y.data(), 2, 2, 3))); }) ==
        "out: has shape [2, 2, 3], the 2 parts of a row have 4 heads x 3 channels");
  CHECK(std::all_of(y.begin(), y.end(), [](float value) { return value == -1; }));
  CHECK_THAT(plan.explain(), Catch::Contains("epilogue: concat(gather0, gather1)"));

  auto const row_bytes = [&](auto const& program, int heads) {
    auto const result = out(wide(y.data(), 2, heads, 3));
    return fuse(graph{csr}, automatic{}, program).plan(cpu{}, in).forward_cost(result).traversals[0].row_bytes;
  };
  auto const thrice = concat(gather<sum>(src<h>), gather<mean>(src<h>), gather<sum>(src<h>));
  CHECK(row_bytes(thrice, 6) - row_bytes(sum_twice, 4) == 2 * 3 * sizeof(float));
}

TEST_CASE("concat: its output shares memory with no operand, in whichever part", "[program]") {
  std::vector<std::int32_t> const sources{0, 1}, destinations{1, 0};
  auto const edges = make_coo({.sources = 2, .destinations = 2}, sources, destinations);
  auto const csr = to_csr(cpu{}, edges);
  auto const csc = to_csc(cpu{}, edges);
  std::vector<float> x(2 * 3, 1), y(2 * 2 * 3, 2), apart(2 * 2 * 3, 2);
  for (int part : {0, 1}) {
    std::string const shared = part == 0 ? "is the array of " : "overlaps ";
    auto const in = bindings(bind<h>(wide(x.data(), 2, 3)), bind<own>(wide(y.data() + part * 3, 2, 1, 3, 6)));
    auto const program = concat(gather<sum>(src<h>), dst<own>);
    auto const plan = fuse(graph{csr, csc}, automatic{}, program).plan(cpu{}, in);
    auto saved = plan.make_saved(cpu{});
    CHECK_THAT(message_of<invalid_argument>([&] { plan.forward(cpu{}, in, out(wide(y.data(), 2, 2, 3))); }),
               Catch::Contains("out: " + shared + "dst<") && Catch::Contains("own>, which is read"));
    plan.forward(cpu{}, in, out(wide(apart.data(), 2, 2, 3)), saved);
    auto const gradient_in_adjoint = [&] {
      plan.backward(cpu{}, in, saved, grad_out(wide(apart.data(), 2, 2, 3)),
                    grad<own>(wide(apart.data() + part * 3, 2, 1, 3, 6)));
    };
    CHECK_THAT(message_of<invalid_argument>(gradient_in_adjoint), Catch::Contains(shared + "grad_out"));
  }
  CHECK(std::all_of(y.begin(), y.end(), [](float value) { return value == 2; }));
}
