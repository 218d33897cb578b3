// Judges composed programs on the host.
#pragma once

#include <string>

#include <edgewise/explain/explain.hpp>

#include "composed.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

namespace edgewise::testing {

/// Judges a composed program in double, so that both sides decide kinks alike.
template <int Seed>
void check_composed() {
  using program = composed_program<Seed>;
  random_stream random("composed program " + std::to_string(Seed));
  INFO("seed " << Seed << ": " << edgewise::detail::expression_text(program::program));
  for (auto const& graph : small_battery()) {
    for (width const w : {width{1, 3}, width{2, 5}}) {
      check_request<program>(run_on_host<program, double>, draw_request<program, double>(graph, w, random));
    }
  }
}

}  // namespace edgewise::testing
