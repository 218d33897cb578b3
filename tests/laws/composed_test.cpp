#include "composed.hpp"

#include <edgewise/execute/explain.hpp>

#include "execute/check_case.hpp"
#include "execute/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

/// Other programs: -DEDGEWISE_COMPOSED_SEEDS=7,8,9 (each becomes a program when this file is compiled).
#ifndef EDGEWISE_COMPOSED_SEEDS
#define EDGEWISE_COMPOSED_SEEDS 1, 2, 3, 4, 5, 6
#endif

/// In double, so that both sides decide kinks alike.
TEMPLATE_TEST_CASE_SIG("composed programs: values and gradients are those of their definition", "[laws]",
                       ((int Seed), Seed), EDGEWISE_COMPOSED_SEEDS) {
  using program = composed_program<Seed>;
  random_stream random("composed program " + std::to_string(Seed));
  INFO("seed " << Seed << ": " << edgewise::detail::expression_text(program::message));
  for (auto const& graph : small_battery()) {
    for (width const w : {width{1, 3}, width{2, 5}}) {
      check_request<program>(run_on_host<program, double>, draw_request<program, double>(graph, w, random));
    }
  }
}
