#include <edgewise/program/static_extents.hpp>

#include "support/catch.hpp"

#include "check_case.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"
#include "program/attention_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Case, int Heads, int Channels>
struct fixed : Case {
  using extents = static_extents<Heads, Channels>;
};

/// A program compiled for one width gives the bits of the one that takes any.
template <class Case, int Heads, int Channels>
void check_fixed() {
  using fixed_case = fixed<Case, Heads, Channels>;
  random_stream random("static extents");
  auto const graph = directed();
  auto request = draw_request<Case, float>(graph, {Heads, Channels}, random);
  for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
    INFO(Case::name << ", " << Heads << " x " << Channels << ", set " << request.asked_set);
    auto const wanted = run_on_host<Case, float>(request);
    auto const found = run_on_host<fixed_case, float>(request);
    CHECK(same_bits(found.out, wanted.out));
    CHECK(same_bits(found.gradients, wanted.gradients));
  }
}

}  // namespace

TEST_CASE("static extents: the bits of any extents", "[plan]") {
  using weighted = weighted_sum<operand_kind::wide>;
  check_fixed<weighted, 1, 1>();
  check_fixed<weighted, 1, 31>();
  check_fixed<weighted, 2, 16>();
  check_fixed<weighted, 1, 48>();
  check_fixed<weighted, 1, 64>();
  check_fixed<weighted, 1, 117>();
  check_fixed<transformer, 3, 5>();
  check_fixed<transformer, 1, 80>();
  check_fixed<transformer, 8, 8>();
  check_fixed<transformer, 2, 1030>();
}

TEST_CASE("static extents: a plan refuses other rows, and says which it has", "[plan]") {
  test_graph const edges = directed();
  graph<csr_view<int, int>> const g{edges.csr()};
  std::vector<float> const rows(static_cast<std::size_t>(edges.num_sources) * 12);
  auto const in = bindings(bind<h>(wide(rows.data(), edges.num_sources, 3, 4)));
  auto const kernel = fuse(g, automatic{}, gather<sum>(src<h>), static_extents<4, 3>{});
  CHECK_THROWS_AS(kernel.plan(cpu{}, in), invalid_argument);
  CHECK_THROWS_WITH(kernel.plan(cpu{}, in), Catch::Contains("4 heads x 3 channels") && Catch::Contains("3 x 4"));
}
