#include <string>

#include <edgewise/explain/explain.hpp>

#include "composed.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

/// Other programs: -DEDGEWISE_COMPOSED_SEEDS=15,16,17 (each becomes a program when this file is compiled).
#ifndef EDGEWISE_COMPOSED_SEEDS
#define EDGEWISE_COMPOSED_SEEDS 3, 5
#endif

TEMPLATE_TEST_CASE_SIG("composed programs of several units: they are what they are unsplit", "[laws]",
                       ((int Seed), Seed), EDGEWISE_COMPOSED_SEEDS) {
  using program = composed_units<Seed>;
  STATIC_REQUIRE(edgewise::detail::is_unit_program<
                 std::remove_cvref_t<decltype(edgewise::detail::lower_units<recompute>(program::program))>>);
  random_stream random("composed units " + std::to_string(Seed));
  for (auto const& graph : small_battery(70)) {
    if (!graph.is_square()) continue;  // values of vertices are read at both ends
    INFO("seed " << Seed);
    check_request<program>(run_on_host<program, double>, draw_request<program, double>(graph, {2, 3}, random));
  }
}
