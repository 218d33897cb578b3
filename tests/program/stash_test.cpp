#include <type_traits>

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "stash_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("stash: values and gradients on the battery", "[program]", stashed_transformer,
                   stashed_wide EDGEWISE_MORE_CASES(stashed_gat, stashed_gatv2, stashed_dot, stashed_twice)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("stash: a name changes nothing by itself", "[program]") {
  auto const named_scores =
      edgewise::detail::apply_policy<recompute>(edgewise::detail::lower_program(stashed_gat::program));
  auto const plain = edgewise::detail::apply_policy<recompute>(edgewise::detail::lower_program(gat::program));
  STATIC_REQUIRE(std::is_same_v<decltype(named_scores), decltype(plain)>);
}

TEST_CASE("stash: automatic keeps sums over channels that edges decide, and nothing else", "[program]") {
  auto const kept = [](auto const& program) {
    return edgewise::detail::stashed_of<std::remove_cvref_t<decltype(edgewise::detail::apply_policy<stash<automatic>>(
        edgewise::detail::lower_program(program)))>>::type::size;
  };
  CHECK(kept(transformer::program) == 1);
  CHECK(kept(gatv2::program) == 1);
  CHECK(kept(gat::program) == 0);
  CHECK(kept(gather<sum>(dot(dst<q>, dst<k>) * src<v>)) == 0);  // once per row
  CHECK(kept(gather<sum>(exp(src<q>) * dst<v>)) == 0);
}

TEST_CASE("stash: the saved state grows by what is named, a number an edge and head", "[program]") {
  random_stream random("stash: bytes");
  auto const graph = one_hub();
  auto request = draw_request<stashed_gat, float>(graph, {4, 8}, random);
  request.asked_set = 0;
  auto const stashed = run_on_host<stashed_gat, float>(request);
  auto const recomputed = run_on_host<gat, float>(request);
  std::size_t const named = static_cast<std::size_t>(graph.num_edges()) * 4 * sizeof(float);
  CHECK(stashed.saved_bytes == recomputed.saved_bytes + (named + 255) / 256 * 256);
  CHECK(stashed.workspace_bytes == recomputed.workspace_bytes);
  CHECK(same_bits(stashed.out, recomputed.out));
  CHECK(same_bits(stashed.gradients, recomputed.gradients));
}
