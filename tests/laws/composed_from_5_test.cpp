// More of composed_test.cpp, compiled beside it.
#include "check_composed.hpp"

TEMPLATE_TEST_CASE_SIG("composed programs from 5: values and gradients are those of their definition", "[laws]",
                       ((int Seed), Seed), 5, 6, 7, 8, 9) {
  edgewise::testing::check_composed<Seed>();
}
