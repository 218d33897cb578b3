#include "check_locality.hpp"

#include "gather/max_cases.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"
#include "plan/host_machine.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEMPLATE_TEST_CASE("locality: NaN reaches who depends on it", "[laws]", weighted_sum<operand_kind::per_row>,
                   mean_and_self EDGEWISE_MORE_CASES(weighted_sum<operand_kind::per_head>, transformer, gatv2, gat,
                                                     relu_of_biased_sum)) {
  check_locality<TestType>(run_on_host<first_set<TestType>, float>, not_a_number);
}

// Of the gradients there is less to say: where two messages of a row are NaN, the one that a maximum leaves out still
// has 0 * NaN as its derivative, as in every framework.
TEMPLATE_TEST_CASE("locality: NaN reaches the values that depend on it", "[laws]", extremum_of_weighted<edgewise::max>,
                   several_gathers EDGEWISE_MORE_CASES(product_of_weighted, deviation_of_weighted)) {
  check_locality<TestType>(run_on_host<first_set<TestType>, float>, not_a_number, false);
}

TEMPLATE_TEST_CASE("locality: infinity reaches who depends on it", "[laws]", weighted_sum<operand_kind::per_row>,
                   mean_and_self) {
  check_locality<TestType>(run_on_host<first_set<TestType>, float>, infinity);
}

TEST_CASE("locality: infinity reaches the minima that depend on it", "[laws]") {
  check_locality<extremum_of_weighted<edgewise::min>>(
      run_on_host<first_set<extremum_of_weighted<edgewise::min>>, float>, infinity, false);
}
