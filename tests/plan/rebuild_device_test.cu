#include "rebuild_device_test.hpp"

#include <edgewise/edgewise.cuh>
#include <edgewise/format/regroup.cuh>

#include "support/device.cuh"

namespace edgewise::testing {
namespace {

struct w;
struct h;

template <class T>
void write(device_array<T>& to, std::vector<T> const& values) {
  if (values.empty()) return;
  check_cuda(cudaMemcpy(to.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "replay: upload");
}

template <class Mapping>
std::vector<replayed> replay(Mapping const& mapping, int num_edges, std::vector<run_request<float>> const& requests) {
  int const rows = requests.front().graph->num_destinations;
  int const channels = requests.front().extents.channels;
  auto const elements = static_cast<std::size_t>(rows) * channels;
  device_stream const stream;
  counting_resource memory(device_memory());
  cuda const exec{.stream = stream.get(), .memory = &memory};

  device_array<int> sources(std::vector<int>(num_edges, rows));
  device_array<int> destinations(std::vector<int>(num_edges, rows));
  coo_view<> const edges{sources.data(), destinations.data(), nullptr, rows, rows, num_edges};
  device_array<float> weights{std::vector<float>(num_edges)};
  device_array<float> features{std::vector<float>(elements)};
  device_array<float> gradient{std::vector<float>(elements)};
  guarded_device_output<float> result(elements), h_gradient(elements), w_gradient(num_edges);

  regrouping<> groups(exec, vertices(rows), num_edges);
  auto const in = bindings(bind<w>(per_row(weights.data(), num_edges)), bind<h>(wide(features.data(), rows, channels)));
  graph const g{groups.csr(), groups.csc()};
  auto plan = fuse(g, mapping, gather<sum>(edge<w> * src<h>)).plan_for_capacity(exec, in);
  auto saved = plan.make_saved(exec);
  auto const run = [&] {
    plan.rebuild(exec, graph{groups.to_csr(exec, edges), groups.to_csc(exec, edges)});
    plan.forward(exec, in, out(wide(result.data(), rows, channels)), saved);
    plan.backward(exec, in, saved, grad_out(wide(gradient.data(), rows, channels)),
                  grad<h>(wide(h_gradient.data(), rows, channels)), grad<w>(per_row(w_gradient.data(), num_edges)));
  };
  run();  // on padding alone; loads the kernels
  stream.synchronize();
  std::size_t const allocations = memory.num_allocations();
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t instance = nullptr;
  check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), "replay: begin");
  run();
  check_cuda(cudaStreamEndCapture(stream.get(), &captured), "replay: end");
  check_cuda(cudaGraphInstantiate(&instance, captured, 0), "replay: instantiate");

  std::vector<replayed> results;
  for (auto const& request : requests) {
    auto padded = [&](std::vector<int> ends) {
      ends.resize(num_edges, rows);
      return ends;
    };
    write(sources, padded(request.graph->sources));
    write(destinations, padded(request.graph->destinations));
    write(weights, request.operands.at(0));
    write(features, request.operands.at(1));
    write(gradient, request.grad_out);
    for (auto* output : {&result, &h_gradient, &w_gradient}) output->poison();
    check_cuda(cudaGraphLaunch(instance, stream.get()), "replay: launch");
    stream.synchronize();
    replayed one{result.values(), h_gradient.values(), w_gradient.values(),
                 result.damage() + h_gradient.damage() + w_gradient.damage()};
    one.w_gradient.resize(request.graph->num_edges());
    if (memory.num_allocations() != allocations) one.damage += "memory was allocated";
    results.push_back(one);
  }
  check_cuda(cudaGraphExecDestroy(instance), "replay: destroy the instance");
  check_cuda(cudaGraphDestroy(captured), "replay: destroy the graph");
  return results;
}

}  // namespace

std::vector<replayed> replay_on_graphs(replay_mapping mapping, int num_edges,
                                       std::vector<run_request<float>> const& requests) {
  switch (mapping) {
    case replay_mapping::automatic:
      return replay(automatic{}, num_edges, requests);
    case replay_mapping::by_degree:
      return replay(feature_adaptive_group{.order = row_order::degree}, num_edges, requests);
    case replay_mapping::in_windows:
      return replay(feature_adaptive_group{.order = row_order::windows, .pieces = piece_order::in_place}, num_edges,
                    requests);
    case replay_mapping::vertex_balanced:
      return replay(vertex_balanced{.order = row_order::degree}, num_edges, requests);
    case replay_mapping::work_queue:
      return replay(work_queue{}, num_edges, requests);
    default:
      return replay(edge_balanced{}, num_edges, requests);
  }
}

std::string refusal_of_rebuild(int num_vertices, int num_edges, bool for_capacity) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  device_array<int> const offsets{std::vector<int>(11)};
  device_array<int> const neighbors{std::vector<int>(20)};
  device_array<float> const features{std::vector<float>(10)};
  auto const graph_of = [&](int rows, int edges) {
    return graph{csr_view<>{{offsets.data(), neighbors.data(), nullptr, rows, rows, edges}}};
  };
  auto const in = bindings(bind<h>(wide(features.data(), 10, 1)));
  auto const kernel = fuse(graph_of(10, 20), automatic{}, gather<sum>(src<h>));
  auto plan = for_capacity ? kernel.plan_for_capacity(exec, in) : kernel.plan(exec, in);
  try {
    plan.rebuild(exec, graph_of(num_vertices, num_edges));
  } catch (invalid_argument const& refusal) {
    return refusal.what();
  }
  stream.synchronize();
  return {};
}

std::string refusal_of_offsets(int num_edges) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  device_array<float> const features{std::vector<float>(10)};
  graph const g{csr_view<>{{nullptr, nullptr, nullptr, 10, 10, num_edges}}};
  try {
    fuse(g, vertex_balanced{}, gather<sum>(src<h>))
        .plan_for_capacity(exec, bindings(bind<h>(wide(features.data(), 10, 1))));
  } catch (invalid_argument const& refusal) {
    return refusal.what();
  }
  return {};
}

}  // namespace edgewise::testing
