#include "dropout_device_test.hpp"

#include "dropout_cases.hpp"
#include "plan/device_machine.cuh"
#include "support/graphs.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<dropped_messages>(run_request<float> const&);
template run_result<float> run_on_device<dropped_layer>(run_request<float> const&);

namespace {

__global__ void advance(random_state* state) { ++state->step; }

}  // namespace

std::vector<std::vector<float>> masks_by_replay(int num_vertices, int num_channels, int num_replays) {
  edge_list loops;
  for (int v = 0; v < num_vertices; ++v) loops.push_back({v, v});
  auto const edges = make_test_graph("loops", num_vertices, num_vertices, loops);
  device_stream const stream;
  device_graph<> const arrays(edges);
  std::size_t const size = static_cast<std::size_t>(num_vertices) * num_channels;
  device_array<float> const ones(std::vector<float>(size, 1.0f));
  guarded_device_output<float> result(size);
  random_state* state = nullptr;
  check_cuda(cudaMalloc(&state, sizeof(random_state)), "masks_by_replay: allocate");
  random_state const start{mask_state.seed, 0};
  check_cuda(cudaMemcpy(state, &start, sizeof(start), cudaMemcpyHostToDevice), "masks_by_replay: upload");

  cuda const exec{.stream = stream.get()};
  auto const in =
      bindings(bind<h>(wide(ones.data(), num_vertices, num_channels)), bind<drop>(random_numbers(state, 9)));
  auto const program = gather<sum>(dropout<drop>(src<h>, 0.5));
  auto const plan = fuse(graph{arrays.csr()}, automatic{}, program).plan(exec, in);
  auto const run = [&] {
    plan.forward(exec, in, out(wide(result.data(), num_vertices, num_channels)));
    advance<<<1, 1, 0, stream.get()>>>(state);
  };
  run();  // loads the kernels
  stream.synchronize();
  check_cuda(cudaMemcpy(state, &start, sizeof(start), cudaMemcpyHostToDevice), "masks_by_replay: restart");
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t instance = nullptr;
  check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "masks_by_replay: begin");
  run();
  check_cuda(cudaStreamEndCapture(stream.get(), &captured), "masks_by_replay: end");
  check_cuda(cudaGraphInstantiate(&instance, captured, 0), "masks_by_replay: instantiate");
  std::vector<std::vector<float>> results;
  for (int replay = 0; replay < num_replays; ++replay) {
    check_cuda(cudaGraphLaunch(instance, stream.get()), "masks_by_replay: launch");
    stream.synchronize();
    results.push_back(result.values());
  }
  check_cuda(cudaGraphExecDestroy(instance), "masks_by_replay: destroy the instance");
  check_cuda(cudaGraphDestroy(captured), "masks_by_replay: destroy the graph");
  check_cuda(cudaFree(state), "masks_by_replay: free");
  return results;
}

}  // namespace edgewise::testing
