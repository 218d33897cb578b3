// Memory of plans on the host: what is kept and taken, to the byte where it is exact, and that edges take none.
#include "memory_bound.hpp"

#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("memory: a plan takes no more than its gathers' table says", "[plan]",
                   weighted_sum<operand_kind::per_row>,
                   attention_layer EDGEWISE_MORE_CASES(mean_of_weighted, extremum_of_weighted<edgewise::max>,
                                                       product_of_neighbors, deviation_of_weighted, gat,
                                                       relu_of_biased_sum, mean_and_self)) {
  check_memory<TestType>(run_on_host<first_set<TestType>, float>, false, 64);
}

namespace {

template <class Program, class In>
std::size_t saved_bytes(Program const& program, test_graph const& edges, In const& in) {
  return fuse(graph{edges.csr(), edges.csc()}, automatic{}, program).plan(cpu{}, in).make_saved(cpu{}).size_bytes();
}

}  // namespace

TEST_CASE("memory: a gather's value is kept only where a derivative of the epilogue reads it", "[plan]") {
  auto const edges = no_edges(64);
  std::vector<float> const x(64 * 8, 1.0f);
  auto const rows = wide(x.data(), 64, 8);
  std::size_t const value = 64 * 8 * 4;
  auto const one = bindings(bind<h>(rows));
  constexpr auto g = gather<sum>(src<h>);
  // Epilogues that are affine in the gather's value keep nothing.
  CHECK(saved_bytes(g, edges, one) == 0);
  CHECK(saved_bytes(g * 2 + 1, edges, one) == 0);
  CHECK(saved_bytes(-g - dst<h>, edges, one) == 0);
  CHECK(saved_bytes(gather<mean>(src<h>) * 0.5 + g, edges, one) == 0);
  // Others keep the value: their own derivative reads it, or that of the operand that it is multiplied with.
  CHECK(saved_bytes(relu(g), edges, one) == value);
  CHECK(saved_bytes(square(g) + dst<h>, edges, one) == value);
  CHECK(saved_bytes(g * dst<h>, edges, one) == value);
  CHECK(saved_bytes(g / (dst<h> + 1), edges, one) == value);
  // Of two gathers the one that a derivative reads is kept.
  CHECK(saved_bytes(gather<mean>(src<h>) + exp(g), edges, one) == value);
}
