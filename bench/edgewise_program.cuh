// A fused program as a candidate: planned once, launched for one pass.
#pragma once

#include <edgewise/edgewise.cuh>

#include <memory>

#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"

namespace edgewise::bench {

/// The forward pass of `program` to `y`, or its backward pass from `dy` with `grads` as further arguments; the saved
/// state is made by one forward pass. The plan is made in `prepare` (it may synchronise), a launch is asynchronous and
/// neither allocates nor synchronises. `edges` must outlive the candidate.
template <class Program, class Inputs, class Out, class OutGrad, class... Grads>
candidate program_candidate(device_graph const& edges, Program const& program, Inputs const& in, Out const& y,
                            OutGrad const& dy, bool backward, cudaStream_t stream, Grads const&... grads) {
  return {"automatic", [=, &edges]() -> launch_function {
            auto const kernel = fuse(edgewise::graph{edges.csr(), edges.csc()}, automatic{}, program);
            // std::function copies; plan and saved state have one owner
            auto plan = std::make_shared<decltype(kernel.plan(cuda{}, in))>(kernel.plan(cuda{.stream = stream}, in));
            if (!backward) {
              return [plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
            }
            auto saved = std::make_shared<decltype(plan->make_saved(cuda{}))>(plan->make_saved(cuda{.stream = stream}));
            plan->forward(cuda{.stream = stream}, in, edgewise::out(y), *saved);
            return [plan, saved, in, dy, grads...](cudaStream_t s) {
              plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grads...);
            };
          }};
}

}  // namespace edgewise::bench
