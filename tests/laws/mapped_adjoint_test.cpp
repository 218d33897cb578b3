// The adjoint identity where rows are cut, grouped and ordered in other ways than automatic's.
#include "support/catch.hpp"

#include "check_adjoint_identity.hpp"
#include "gather/stddev_cases.hpp"
#include "mapping/mapped.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Besides the battery's: a row of more edges than a share has, and rows that begin and end at shares' borders.
std::vector<test_graph> graphs_to_cut() {
  auto graphs = small_battery();
  graphs.push_back(one_hub(700));
  graphs.push_back(border_rows());
  return graphs;
}

template <class Case>
void check_cut() {
  check_adjoint_identity<Case>(graphs_to_cut());
}

}  // namespace

TEMPLATE_TEST_CASE("adjoint identity: edge_balanced", "[laws]", transformer,
                   deviation_of_weighted EDGEWISE_MORE_CASES(several_gathers, everywhere)) {
  check_cut<mapped<TestType, by_edges>>();
}
TEMPLATE_TEST_CASE("adjoint identity: vertex_balanced", "[laws]", transformer,
                   deviation_of_weighted EDGEWISE_MORE_CASES(several_gathers, everywhere)) {
  check_cut<mapped<TestType, uncut_by_degree>>();
}
TEMPLATE_TEST_CASE("adjoint identity: feature_adaptive_group", "[laws]", transformer,
                   deviation_of_weighted EDGEWISE_MORE_CASES(several_gathers, everywhere)) {
  check_cut<mapped<TestType, rows_by_degree>>();
}
