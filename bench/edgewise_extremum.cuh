// The library's side of bench_extremum: gather<max>(src<h>), planned once.
#pragma once

#include <edgewise/edgewise.cuh>

#include <memory>

#include "extremum_case.cuh"

namespace edgewise::bench {

struct feature;

inline constexpr auto maximum_program = gather<edgewise::max>(src<feature>);

template <class T>
auto maximum_operands(extremum_case<T> const& c) {
  return bindings(bind<feature>(wide(c.features(), c.graph().num_sources(), c.channels())));
}

/// A forward pass that keeps the argument, or a backward pass. Options: those of `fuse`. `c` must outlive the
/// candidate.
template <class T, class... Option>
candidate edgewise_maximum(extremum_case<T>& c, bool backward, cudaStream_t stream, Option... option) {
  auto const memory = make_counted_memory();
  return {"automatic",
          [=, &c]() -> launch_function {
            device_graph const& g = c.graph();
            cuda const exec{.stream = stream, .memory = memory.get()};
            auto const in = maximum_operands(c);
            auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, automatic{}, maximum_program, option...);
            using plan_type = decltype(kernel.plan(exec, in));
            // std::function copies; plan and saved state have one owner
            auto plan = std::make_shared<plan_type>(kernel.plan(exec, in));
            auto saved = std::make_shared<typename plan_type::saved_type>(plan->make_saved(exec));
            auto const y = wide(c.out.data(), g.num_destinations(), c.channels());
            if (!backward) {
              return [memory, plan, saved, in, y](cudaStream_t s) {
                plan->forward(cuda{.stream = s}, in, edgewise::out(y), *saved);
              };
            }
            plan->forward(exec, in, edgewise::out(y), *saved);
            auto const dy = wide(c.out_grad(), g.num_destinations(), c.channels());
            auto const dh = wide(c.feature_grad.data(), g.num_sources(), c.channels());
            return [memory, plan, saved, in, dy, dh](cudaStream_t s) {
              plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grad<feature>(dh));
            };
          },
          memory};
}

/// What the pass costs at least. Forward: with the argument, 4 bytes per element.
template <class T>
plan_cost maximum_cost(extremum_case<T>& c, bool backward) {
  device_graph const& g = c.graph();
  auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, automatic{}, maximum_program);
  auto const in = maximum_operands(c);
  if (backward) {
    return kernel.backward_cost(in, grad_out(wide(c.out_grad(), g.num_destinations(), c.channels())),
                                grad<feature>(wide(c.feature_grad.data(), g.num_sources(), c.channels())));
  }
  plan_cost cost = kernel.forward_cost(in, edgewise::out(wide(c.out.data(), g.num_destinations(), c.channels())));
  cost.traversals.at(0).row_bytes += 4.0 * c.channels();
  return cost;
}

}  // namespace edgewise::bench
