#include "check_composed.hpp"

/// Other programs: -DEDGEWISE_COMPOSED_SEEDS=15,16,17 (each becomes a program when this file is compiled).
#ifndef EDGEWISE_COMPOSED_SEEDS
#define EDGEWISE_COMPOSED_SEEDS 1, 2, 3, 4
#endif

TEMPLATE_TEST_CASE_SIG("composed programs: values and gradients are those of their definition", "[laws]",
                       ((int Seed), Seed), EDGEWISE_COMPOSED_SEEDS) {
  edgewise::testing::check_composed<Seed>();
}
