#include "table_check.hpp"

#include "support/catch.hpp"

#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("table: every operand, operation and gather, both passes", "[program]", sum,
                   prod EDGEWISE_MORE_CASES(mean, max, min)) {
  check_table<TestType>([]<class Cell>(type_tag<Cell>, int, run_request<double> const& request) {
    return run_on_host<Cell, double>(request);
  });
}
