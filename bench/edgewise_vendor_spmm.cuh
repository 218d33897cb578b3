// The weighted sum by `vendor_spmm`: the vendor's product behind the interface of a plan.
#pragma once

#include <edgewise/vendor/vendor_spmm.cuh>

#include <vector>

#include "edgewise_program.cuh"
#include "edgewise_spmm.cuh"

namespace edgewise::bench {

/// Forward, or the gradient of the features, whose weights the plan permutes in each pass. `problem` must outlive the
/// candidate.
inline std::vector<candidate> vendor_weighted_sum(weighted_sum_case<float>& problem, pass p, cudaStream_t stream) {
  device_graph const& g = problem.graph();
  auto const rows = [&](auto* data, std::int32_t count) {
    return wide(data, count, 1, problem.channels(), problem.row_stride());
  };
  auto const in = bindings(bind<feature>(rows(problem.features(), g.num_sources())),
                           bind<weight>(per_row(problem.weights(), g.num_edges())));
  auto const make_plan = [=, &g](cuda const& exec) {
    return vendor_spmm(exec, edgewise::graph{g.csr(), g.csc()}, weighted_sum_program, in);
  };
  return {plan_candidate("vendor_spmm", make_plan, in, rows(problem.out(), g.num_destinations()),
                         rows(problem.out_grad(), g.num_destinations()), p == pass::grad_source, stream,
                         grad<feature>(rows(problem.feature_grad(), g.num_sources())))};
}

}  // namespace edgewise::bench
