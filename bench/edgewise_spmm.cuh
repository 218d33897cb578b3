// The library's side of bench_spmm: the weighted sum as a fused program, planned once.
#pragma once

#include <edgewise/edgewise.cuh>

#include <memory>
#include <utility>
#include <vector>

#include "weighted_sum_case.cuh"

namespace edgewise::bench {

namespace detail {

/// Runs one pass of the weighted sum on `graph` by `mapping`: the plan is made in `prepare` (it may synchronise), a
/// launch is asynchronous and neither allocates nor synchronises. A gradient pass asks for its own gradient alone.
/// is_constant: the plan may keep the weights in the order of the rows.
template <class T, class Graph, class Mapping>
candidate weighted_sum_candidate(char const* name, weighted_sum_case<T>& problem, pass p, cudaStream_t stream,
                                 Graph const& graph, Mapping const& mapping, bool is_constant = false) {
  auto const memory = make_counted_memory();
  return {name,
          [=, &problem]() -> launch_function {
            cuda const exec{.stream = stream, .memory = memory.get()};
            device_graph const& g = problem.graph();
            auto const weights = per_row(problem.weights(), g.num_edges());
            auto const in = bindings(
                bind<feature>(wide(problem.features(), g.num_sources(), 1, problem.channels(), problem.row_stride())),
                bind<weight>(is_constant ? constant_rows(weights) : weights));
            auto const kernel = fuse(graph, mapping, weighted_sum_program);
            // std::function copies; the plan has one owner
            auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
            auto const y =
                padded(wide(problem.out(), g.num_destinations(), 1, problem.channels(), problem.row_stride()));
            if (p == pass::forward) {
              return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
            }
            auto saved = std::make_shared<decltype(plan->make_saved(cuda{}))>(plan->make_saved(exec));
            plan->forward(exec, in, edgewise::out(y), *saved);
            auto const dy = wide(problem.out_grad(), g.num_destinations(), 1, problem.channels(), problem.row_stride());
            if (p == pass::grad_source) {
              auto const dx =
                  padded(wide(problem.feature_grad(), g.num_sources(), 1, problem.channels(), problem.row_stride()));
              return [memory, plan, saved, in, dy, dx](cudaStream_t s) {
                plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grad<feature>(dx));
              };
            }
            auto const dw = per_row(problem.weight_grad(), g.num_edges());
            return [memory, plan, saved, in, dy, dw](cudaStream_t s) {
              plan->backward(cuda{.stream = s}, in, *saved, grad_out(dy), grad<weight>(dw));
            };
          },
          memory};
}

}  // namespace detail

/// One candidate per row mapping. Edge weights are read by edge id, also where the traversal is grouped by source.
/// `problem` must outlive the candidates.
template <class T>
std::vector<candidate> edgewise_weighted_sum(weighted_sum_case<T>& problem, pass p, cudaStream_t stream) {
  device_graph const& g = problem.graph();
  return {
      detail::weighted_sum_candidate("automatic", problem, p, stream, edgewise::graph{g.csr(), g.csc()}, automatic{})};
}

/// The same with weights that are constant.
template <class T>
std::vector<candidate> edgewise_constant_sum(weighted_sum_case<T>& problem, pass p, cudaStream_t stream) {
  device_graph const& g = problem.graph();
  return {detail::weighted_sum_candidate("automatic", problem, p, stream, edgewise::graph{g.csr(), g.csc()},
                                         automatic{}, true)};
}

/// The gradient of the features as peers form it: a plain weighted sum over the transposed graph, whose weights lie in
/// its order already, which is in nobody's time. `problem` must outlive the candidates.
template <class T>
std::vector<candidate> edgewise_transposed_sum(weighted_sum_case<T>& problem, cudaStream_t stream) {
  csc_view<> transposed = problem.graph().csc();
  transposed.edge_ids = nullptr;  // weights are those of positions
  auto const operands = problem.product(pass::grad_source);
  auto const in = bindings(
      bind<feature>(wide(operands.features, transposed.num_neighbors, 1, operands.channels, operands.row_stride)),
      bind<weight>(per_row(operands.weights, transposed.num_edges)));
  auto const y = padded(wide(operands.out, transposed.num_rows, 1, operands.channels, operands.row_stride));
  auto const memory = make_counted_memory();
  return {{"transposed",
           [=]() -> launch_function {
             cuda const exec{.stream = stream, .memory = memory.get()};
             auto const kernel = fuse(edgewise::graph{reverse(transposed)}, automatic{}, weighted_sum_program);
             auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
             return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
           },
           memory}};
}

/// The candidate over edges that are not grouped; ids name the weights as in the graph of `problem`, whatever the order
/// of `edges`.
template <class T>
std::vector<candidate> edgewise_scattered_sum(weighted_sum_case<T>& problem, pass p, cudaStream_t stream,
                                              coo_view<> const& edges) {
  return {detail::weighted_sum_candidate("edge_balanced", problem, p, stream, edgewise::graph{edges}, edge_balanced{})};
}

}  // namespace edgewise::bench
