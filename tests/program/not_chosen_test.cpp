#include "not_chosen_check.hpp"

#include "plan/coo_run.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("not chosen: gets no gradient, whatever its derivative", "[program]", max_of_roots,
                   dropped_roots EDGEWISE_MORE_CASES(min_of_quotients, masked_logarithms)) {
  check_not_chosen<TestType>(run_on_host<TestType, float>);
}

TEMPLATE_TEST_CASE("not chosen: likewise over edges that are not grouped", "[program]", min_of_quotients,
                   masked_logarithms) {
  check_not_chosen<TestType>([](run_request<float> const& request) {
    return run_scattered<TestType>(host_machine{}, request, edge_order::shuffled);
  });
}

TEST_CASE("not chosen: factors of 0 and equal messages", "[program]") {
  check_zeros_of_roots(run_on_host<zeros_of_roots, float>);
}
