#include "elementwise_cases.hpp"

#include "laws/check_adjoint_identity.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("elementwise functions: values and gradients on the battery", "[program]", elementwise_message,
                   elementwise_epilogue, chosen_functions) {
  check_case<TestType, float>(run_on_host<TestType, float>);
  check_adjoint_identity<TestType>();
}
