#include "degree_aware_device_test.hpp"

#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, by_quantile>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, above_five>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gatv2, by_quantile>>(run_request<float> const&);

degree_histogram degrees_on_device(test_graph const& graph) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  return edgewise::detail::read_degrees<int, int>(stream.get(), device_memory(), arrays.csr(),
                                                  edgewise::detail::workload_of<int, int>(arrays.csr()));
}

std::array<degree_histogram, 2> both_degrees_on_device(test_graph const& graph) {
  device_stream const stream;
  device_graph<> const arrays(graph);
  auto const sized = [](grouping_view<int, int> const& grouping) {
    return edgewise::detail::described_grouping<int, int>{grouping, edgewise::detail::workload_of(grouping)};
  };
  return edgewise::detail::read_degrees(stream.get(), device_memory(),
                                        std::array{sized(arrays.csr()), sized(arrays.csc())});
}

planned_sums sums_on_device(test_graph const& graph, std::vector<float> const& features,
                            std::vector<float> const& weights, std::string const& policy) {
  constexpr int channels = 8;
  device_graph<> const arrays(graph);
  auto const feature_array = upload(features);
  auto const weight_array = upload(weights);
  device_array<float> const sums(std::vector<float>(static_cast<std::size_t>(graph.num_destinations) * channels));
  device_array<float> const gradient(std::vector<float>(features.size()));
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto const in = bindings(bind<h>(wide(feature_array.data(), graph.num_sources, channels)),
                           bind<w>(per_row(weight_array.data(), graph.num_edges())));
  auto const kernel = fuse(edgewise::graph{arrays.csr(), arrays.csc()}, automatic{}, gather<sum>(edge<w> * src<h>));
  auto const plan = policy.empty() ? kernel.plan(exec, in) : kernel.plan(exec, in, parse_policy<row_split>(policy));
  auto saved = plan.make_saved(exec);
  auto const y = wide(sums.data(), graph.num_destinations, channels);
  plan.forward(exec, in, out(y), saved);
  plan.backward(exec, in, saved, grad_out(y), grad<h>(wide(gradient.data(), graph.num_sources, channels)));
  stream.synchronize();
  return {sums.values(), gradient.values(), to_string(plan.policy()), plan.explain()};
}

}  // namespace edgewise::testing
