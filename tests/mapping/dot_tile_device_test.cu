#include "dot_tile_cases.hpp"

#include <algorithm>
#include <vector>

#include "plan/device_machine.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<contracted_dot>(run_request<float> const&);
template run_result<float> run_on_device<contracted_exact_dot>(run_request<float> const&);
template run_result<float> run_on_device<mapped<edge_dot, contracted_and_partitioned>>(run_request<float> const&);
template run_result<float> run_on_device<contracted_score>(run_request<float> const&);
template run_result<float> run_on_device<contracted_dot_of_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<contracted_dot_in_bfloat16>(run_request<float> const&);
template run_result<float> run_on_device<exact_edge_dot>(run_request<float> const&);

std::string explain_contracted(test_graph const& graph, int channels) {
  device_graph<int> const arrays(graph);
  auto const rows = static_cast<std::size_t>(std::max(graph.num_destinations, graph.num_sources));
  device_array<float> const data(std::vector<float>(rows * static_cast<std::size_t>(channels)));
  auto const in = bindings(bind<q>(wide(data.data(), graph.num_destinations, channels)),
                           bind<k>(wide(data.data(), graph.num_sources, channels)));
  return fuse(edgewise::graph{arrays.csr()}, contracted::mapping, contracted_dot::program).plan(cuda{}, in).explain();
}

}  // namespace edgewise::testing
