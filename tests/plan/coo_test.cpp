#include "support/catch.hpp"

#include "check_case.hpp"
#include "coo_cases.hpp"
#include "coo_run.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Case, class T, edge_order Order = edge_order::by_id>
run_result<T> coo_on_host(run_request<T> const& request) {
  return run_scattered<Case>(host_machine{}, request, Order);
}

}  // namespace

TEMPLATE_TEST_CASE("scatter: sums and their gradients on the battery", "[plan]", scattered_weighted_sum,
                   sum_of_edges<operand_kind::per_row> EDGEWISE_MORE_CASES(scattered_differences, scattered_scores,
                                                                           scattered_per_channel, scattered_vectors,
                                                                           weighted_sum<operand_kind::wide>)) {
  check_case<TestType, float>(coo_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("scatter: rows wider than any group", "[plan]", scattered_vectors, scattered_per_channel) {
  check_wide_rows<TestType, float>(coo_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("scatter: storage in 16 bits", "[plan]", scattered_bfloat16,
                   scattered_bfloat16_extremum EDGEWISE_MORE_CASES(scattered_float16, scattered_float16_extremum,
                                                                   scattered_all_bfloat16, scattered_all_float16,
                                                                   scattered_adding_bfloat16,
                                                                   scattered_float16_vectors)) {
  check_case<TestType, float>(coo_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("scatter: sums take edges in any order, with ids", "[plan]", scattered_weighted_sum) {
  check_case<TestType, float>(coo_on_host<TestType, float, edge_order::shuffled>);
  check_case<TestType, double>(coo_on_host<TestType, double, edge_order::by_destination>);
}

TEMPLATE_TEST_CASE("scatter: extrema and their gradients on the battery", "[plan]", scattered_extremum<edgewise::max>,
                   scattered_extremum<edgewise::min>) {
  check_case<TestType, float>(coo_on_host<TestType, float>);
  // In rows by ascending id the earliest position is the smallest id, as the reference has it.
  check_case<TestType, float>(coo_on_host<TestType, float, edge_order::by_destination>);
}

TEMPLATE_TEST_CASE("scatter: the same bits for any number of threads", "[plan]", scattered_weighted_sum,
                   scattered_differences, scattered_extremum<edgewise::max>) {
  random_stream random("scatter: threads");
  auto const graph = random_skewed();
  auto request = draw_request<TestType, float>(graph, {2, 300}, random);
  for (float& x : request.operands.at(0)) x *= 0.7f;  // not exact any more
  request.asked_set = 0;
  check_any_threads(coo_on_host<TestType, float>, request);
}
