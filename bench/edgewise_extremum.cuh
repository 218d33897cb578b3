// The library's side of bench_extremum: gather<max>(src<h>), planned once.
#pragma once

#include <edgewise/edgewise.cuh>

#include <memory>

#include "extremum_case.cuh"

namespace edgewise::bench {

struct feature;

/// A forward pass that keeps the argument, or a backward pass. Options: those of `fuse`. `c` must outlive the candidate.
template <class T, class... Option>
candidate edgewise_maximum(extremum_case<T>& c, bool backward, cudaStream_t stream, Option... option) {
  return {"automatic", [=, &c]() -> launch_function {
            device_graph const& g = c.graph();
            std::int32_t const lanes = c.lanes();
            auto const in = bindings(bind<feature>(wide(c.features(), g.num_sources(), lanes)));
            auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, automatic{},
                                     gather<edgewise::max>(src<feature>), option...);
            using plan_type = decltype(kernel.plan(cuda{}, in));
            auto plan = std::make_shared<plan_type>(kernel.plan(cuda{.stream = stream}, in));
            auto saved = std::make_shared<typename plan_type::saved_type>(plan->make_saved(cuda{.stream = stream}));
            auto const y = wide(c.out.data(), g.num_destinations(), lanes);
            if (!backward) {
              return [plan, saved, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y), *saved); };
            }
            plan->forward(cuda{.stream = stream}, in, edgewise::out(y), *saved);
            auto const dy = wide(c.out_grad(), g.num_destinations(), lanes);
            auto const dh = wide(c.feature_grad.data(), g.num_sources(), lanes);
            return [plan, saved, in, dy, dh](cudaStream_t s) {
              plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grad<feature>(dh));
            };
          }};
}

}  // namespace edgewise::bench
