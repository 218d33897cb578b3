#include "coo_automatic_plan_device_test.hpp"

#include <limits>

#include <edgewise/format/convert.cuh>

#include "coo_automatic_cases.hpp"
#include "coo_run.hpp"
#include "device_machine.cuh"
#include "support/graphs.hpp"

namespace edgewise::testing {

template <class Case, bool Scatters>
run_result<float> choose_on_device(run_request<float> const& request) {
  constexpr double any_number = std::numeric_limits<double>::infinity();
  constexpr double least_passes = std::numeric_limits<double>::min();
  return run_program<Case>(device_machine{}, request, chosen_edges{.passes = Scatters ? least_passes : any_number});
}
template run_result<float> choose_on_device<in_any_order<scattered_weighted_sum>, false>(run_request<float> const&);
template run_result<float> choose_on_device<in_any_order<scattered_weighted_sum>, true>(run_request<float> const&);
template run_result<float> choose_on_device<in_any_order<scattered_extremum<edgewise::max>>, false>(
    run_request<float> const&);
template run_result<float> choose_on_device<in_any_order<scattered_extremum<edgewise::max>>, true>(
    run_request<float> const&);

bool groups_on_device(double passes) {
  using program = in_any_order<scattered_weighted_sum>;
  device_machine const machine;
  auto const edges = directed();
  auto const features = machine.upload(std::vector<float>(static_cast<std::size_t>(edges.num_sources)));
  auto const weights = machine.upload(std::vector<float>(static_cast<std::size_t>(edges.num_edges())));
  auto const in = bindings(bind<w>(per_row(weights.data(), edges.num_edges())),
                           bind<h>(wide(features.data(), edges.num_sources, 1)));
  return chosen_edges{.passes = passes}.with_graph<int>(machine, edges, [&](auto const& g, auto const& mapping) {
    return fuse(g, mapping, program::program, nondeterministic{}).plan(machine.execution(0, nullptr), in).is_grouped();
  });
}

}  // namespace edgewise::testing
