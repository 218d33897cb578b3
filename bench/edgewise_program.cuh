// A fused program as a candidate: planned once, launched for one pass.
#pragma once

#include <edgewise/edgewise.cuh>

#include <memory>
#include <string>
#include <utility>

#include "harness/candidate.cuh"
#include "harness/device_graph.cuh"

namespace edgewise::bench {

/// The forward pass to `y` of the plan that `make_plan(exec)` returns, or its backward pass from `dy` with `grads` as
/// further arguments; the saved state is made by one forward pass. The plan is made in `prepare` (it may synchronise),
/// a launch is asynchronous and neither allocates nor synchronises.
template <class MakePlan, class Inputs, class Out, class OutGrad, class... Grads>
candidate plan_candidate(std::string name, MakePlan const& make_plan, Inputs const& in, Out const& y, OutGrad const& dy,
                         bool backward, cudaStream_t stream, Grads const&... grads) {
  auto const memory = make_counted_memory();
  return {std::move(name),
          [=]() -> launch_function {
            cuda const exec{.stream = stream, .memory = memory.get()};
            // std::function copies; plan and saved state have one owner
            auto plan = std::make_shared<decltype(make_plan(exec))>(make_plan(exec));
            if (!backward) {
              return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
            }
            auto saved = std::make_shared<decltype(plan->make_saved(cuda{}))>(plan->make_saved(exec));
            plan->forward(exec, in, edgewise::out(y), *saved);
            return [memory, plan, saved, in, dy, grads...](cudaStream_t s) {
              plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grads...);
            };
          },
          memory};
}

/// What that pass costs at least.
template <class Program, class Inputs, class Out, class OutGrad, class... Grads>
plan_cost program_cost(device_graph const& edges, Program const& program, Inputs const& in, Out const& y,
                       OutGrad const& dy, bool backward, Grads const&... grads) {
  auto const kernel = fuse(edgewise::graph{edges.csr(), edges.csc()}, automatic{}, program);
  return backward ? kernel.backward_cost(in, grad_out(dy), grads...) : kernel.forward_cost(in, edgewise::out(y));
}

/// A pass of a fused kernel as a candidate. The graph that it was fused over must outlive the candidate.
template <class Kernel, class Inputs, class Out, class OutGrad, class... Grads>
candidate kernel_candidate(std::string name, Kernel const& kernel, Inputs const& in, Out const& y, OutGrad const& dy,
                           bool backward, cudaStream_t stream, Grads const&... grads) {
  return plan_candidate(
      std::move(name), [=](cuda const& exec) { return kernel.plan(exec, in); }, in, y, dy, backward, stream, grads...);
}
/// A pass of `program` as a candidate. `edges` must outlive the candidate.
template <class Program, class Inputs, class Out, class OutGrad, class... Grads>
candidate program_candidate(device_graph const& edges, Program const& program, Inputs const& in, Out const& y,
                            OutGrad const& dy, bool backward, cudaStream_t stream, Grads const&... grads) {
  auto const kernel = fuse(edgewise::graph{edges.csr(), edges.csc()}, automatic{}, program);
  return kernel_candidate("automatic", kernel, in, y, dy, backward, stream, grads...);
}

}  // namespace edgewise::bench
