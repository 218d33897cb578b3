#include "max_cases.hpp"

#include <cstring>
#include <limits>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("max and min: values and gradients on the battery", "[gather]", extremum_of_neighbors<edgewise::max>,
                   min_of_activated EDGEWISE_MORE_CASES(extremum_of_neighbors<edgewise::min>,
                                                        extremum_of_weighted<edgewise::max>,
                                                        extremum_of_weighted<edgewise::min>, max_of_differences)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("max and min: the argument is the first edge that attains the value", "[gather]") {
  // Edges by id: into 0 from 1, 2, 3; into 2 from 0; vertices 1 and 3 have none.
  test_graph const edges = make_test_graph("arguments", 4, 4, {{1, 0}, {2, 0}, {3, 0}, {0, 2}});
  graph<csr_view<int, int>> const g{edges.csr()};
  std::vector<float> const rows{5, -5, /**/ 2, 4, /**/ 3, 7, /**/ 3, 1};
  auto const in = bindings(bind<h>(wide(rows.data(), 4, 2)));
  auto const plan = fuse(g, automatic{}, gather<edgewise::max>(src<h>)).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  CHECK_THROWS_WITH(saved.argument(), Catch::Contains("pass it to forward first"));
  std::vector<float> result(8);
  plan.forward(cpu{}, in, out(wide(result.data(), 4, 2)), saved);
  auto const argument = saved.argument();
  static_assert(argument.kind == operand_kind::wide);
  REQUIRE(argument.rows == 4);
  REQUIRE(argument.row_stride == 2);
  CHECK(std::vector<int>(argument.data, argument.data + 8) == std::vector<int>{1, 1, -1, -1, 3, 3, -1, -1});
}

TEST_CASE("max and min: of several gathers each has its argument, of heads one a head", "[gather]") {
  test_graph const edges = make_test_graph("arguments", 2, 2, {{0, 1}, {1, 1}});
  graph<csr_view<int, int>> const g{edges.csr()};
  std::vector<float> const rows{1, 2, /**/ 0, 3};
  auto const in = bindings(bind<h>(per_head(rows.data(), 2, 2)));
  auto const program = gather<edgewise::max>(src<h>) + gather<edgewise::min>(src<h>);
  auto const plan = fuse(g, automatic{}, program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> result(4);
  plan.forward(cpu{}, in, out(per_head(result.data(), 2, 2)), saved);
  auto const largest = saved.argument<0>();
  auto const smallest = saved.argument<1>();
  static_assert(largest.kind == operand_kind::per_head);
  CHECK(std::vector<int>(largest.data, largest.data + 4) == std::vector<int>{-1, -1, 0, 1});
  CHECK(std::vector<int>(smallest.data, smallest.data + 4) == std::vector<int>{-1, -1, 1, 0});
}

namespace {

/// Folds blocks of N messages at once and one by one.
template <class Gather, int N>
void check_blocks(random_stream& random) {
  auto at_once = Gather::template identity<float, int>();
  auto one_by_one = at_once;
  float const infinity = std::numeric_limits<float>::infinity();
  for (int first = 0; first < 40 * N; first += N) {
    float messages[N];
    int edges[N];
    for (int b = 0; b < N; ++b) {
      int const drawn = random.below(40);
      messages[b] = drawn == 0 ? infinity : drawn < 3 ? -infinity : drawn < 6 ? -0.0f : (random.below(9) - 4) / 2.0f;
      if (first < 8 * N && drawn < 36) messages[b] = -infinity;  // ties from the beginning
      edges[b] = first + b;
    }
    if (first == 30 * N) {  // a NaN stays
      Gather::fold(at_once, std::numeric_limits<float>::quiet_NaN(), first - 1);
      Gather::fold(one_by_one, std::numeric_limits<float>::quiet_NaN(), first - 1);
    }
    Gather::fold_numbers(at_once, messages, edges);
    for (int b = 0; b < N; ++b) Gather::fold(one_by_one, messages[b], edges[b]);
    REQUIRE(at_once.argument == one_by_one.argument);
    REQUIRE(std::memcmp(&at_once.best, &one_by_one.best, sizeof(float)) == 0);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("max and min: a block of messages is folded as they are one by one", "[gather]", edgewise::max,
                   edgewise::min) {
  random_stream random("extrema: blocks");
  for (int i = 0; i < 20; ++i) {
    check_blocks<TestType, 2>(random);
    check_blocks<TestType, 4>(random);
    check_blocks<TestType, 8>(random);
  }
}
