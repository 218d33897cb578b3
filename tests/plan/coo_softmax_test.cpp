#include "support/catch.hpp"

#include "check_case.hpp"
#include "coo_run.hpp"
#include "host_machine.hpp"
#include "laws/check_locality.hpp"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/masked_scores.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class Case, class T, edge_order Order = edge_order::by_id>
run_result<T> coo_on_host(run_request<T> const& request) {
  return run_scattered<Case>(host_machine{}, request, Order);
}

}  // namespace

TEMPLATE_TEST_CASE("scatter: attention and its gradients on the battery", "[plan]", transformer,
                   dropped_scores EDGEWISE_MORE_CASES(gat, gatv2, edge_scores, dropped_attention)) {
  check_case<TestType, float>(coo_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("scatter: attention takes edges in any order, and doubles", "[plan]", gat, edge_values) {
  check_case<TestType, float>(coo_on_host<TestType, float, edge_order::shuffled>);
  check_case<TestType, double>(coo_on_host<TestType, double, edge_order::by_destination>);
}

TEMPLATE_TEST_CASE("scatter: attention in 16 bits", "[plan]", (stored_as<gat, bfloat16>),
                   (stored_as<transformer, float16>)) {
  check_case<TestType, float>(coo_on_host<TestType, float>);
}

TEST_CASE("scatter: masked edges weigh nothing, whatever their values", "[plan]") {
  check_masked_scores(coo_on_host<edge_values, float>);
  check_masked_scores(coo_on_host<edge_values, float, edge_order::shuffled>, std::numeric_limits<float>::infinity());
}

TEST_CASE("scatter: the size of scores does not matter", "[plan]") {
  check_large_scores(coo_on_host<edge_scores, float, edge_order::shuffled>);
  check_far_scores(coo_on_host<edge_values, float>);
}

TEST_CASE("scatter: NaN and infinite scores reach who depends on them", "[plan]") {
  check_locality<gatv2>(coo_on_host<gatv2, float, edge_order::shuffled>, std::numeric_limits<double>::quiet_NaN());
  check_locality<edge_scores>(coo_on_host<edge_scores, float, edge_order::shuffled>,
                              std::numeric_limits<double>::infinity(), false);
}
