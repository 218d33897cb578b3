// More of composed_test.cpp, compiled beside it.
#include "check_composed.hpp"

TEMPLATE_TEST_CASE_SIG("composed programs from 10: values and gradients are those of their definition", "[laws]",
                       ((int Seed), Seed), 10, 11, 12, 13, 14) {
  edgewise::testing::check_composed<Seed>();
}
