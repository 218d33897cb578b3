#include "narrow_rows_device_test.hpp"

#include "gather/max_cases.hpp"
#include "plan/device_machine.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, pieces_of_sixty_four>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, pieces_of_three_hundred>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<plain_sum, pieces_of_sixty_four>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<plain_sum, cut_by_degree>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<plain_sum, cut_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<scored_sum, pieces_of_sixty_four>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<extremum_of_neighbors<edgewise::max>, pieces_of_sixty_four>>(
    run_request<float> const&);

planned_alike plan_alike_on_device(test_graph const& graph, std::vector<float> const& features, int channels) {
  device_graph<> const arrays(graph);
  auto const feature_array = upload(features);
  guarded_device_output<float> sums(static_cast<std::size_t>(graph.num_destinations) * channels);
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto const on_graph = edgewise::graph{arrays.csr(), arrays.csc()};
  auto const in = bindings(bind<h>(wide(feature_array.data(), graph.num_sources, channels)));
  auto const y = wide(sums.data(), graph.num_destinations, channels);
  auto const run = [&](auto const& plan) {
    sums.poison();  // or what the plan before wrote would pass
    plan.forward(exec, in, out(y));
    stream.synchronize();
    return sums.values();
  };
  planned_alike results;
  results.has_few_geometries = edgewise::detail::has_few_geometries;
  auto const kernel = fuse(on_graph, feature_adaptive_group{}, gather<sum>(src<h>));
  results.exact = run(kernel.plan(exec, in));
  auto for_capacity = kernel.plan_for_capacity(exec, in);
  for_capacity.rebuild(exec, on_graph);
  results.rebuilt = run(for_capacity);
  results.pinned = run(kernel.plan(exec, in, for_capacity.policy()));

  auto const weights = upload(std::vector<float>(static_cast<std::size_t>(graph.num_edges()), 1.0f));
  auto const weighted = bindings(bind<h>(wide(feature_array.data(), graph.num_sources, channels)),
                                 bind<w>(per_row(weights.data(), graph.num_edges())));
  results.policy = to_string(fuse(on_graph, automatic{}, gather<sum>(src<h>)).plan(exec, in).policy());
  results.weighted_policy =
      to_string(fuse(on_graph, automatic{}, gather<sum>(edge<w> * src<h>)).plan(exec, weighted).policy());
  return results;
}

}  // namespace edgewise::testing
