// The library's side of bench_attention: the forms as fused programs, planned once.
#pragma once

#include <vector>

#include "attention_case.cuh"
#include "attention_forms.hpp"
#include "edgewise_program.cuh"

namespace edgewise::bench {

/// The same of the form with features of edges, whose backward traversals hand over: f(kernel, ...). A call of its own,
/// so that programs that have no such form do not compile it.
template <class T, class F>
auto with_edge_attention(attention_case<T>& c, F const& f) {
  device_graph const& g = c.graph();
  std::int32_t const heads = c.shape().heads, channels = c.shape().channels;
  auto const at = [&](auto* data, std::int64_t rows) { return wide(data, rows, heads, channels); };
  std::int64_t const destinations = g.num_destinations(), sources = g.num_sources(), edges = g.num_edges();
  auto const kernel =
      fuse(edgewise::graph{g.csr(), g.csc()}, automatic{}, edge_transformer_program(channels), hand_over<automatic>{});
  return f(kernel,
           bindings(bind<query>(at(c.destination(), destinations)), bind<key>(at(c.key(), sources)),
                    bind<value>(at(c.value(), sources)), bind<feature>(at(c.feature(), edges))),
           at(c.out.data(), destinations), at(c.out_grad(), destinations),
           grad<query>(at(c.destination_grad.data(), destinations)), grad<key>(at(c.key_grad.data(), sources)),
           grad<value>(at(c.value_grad.data(), sources)), grad<feature>(at(c.feature_grad.data(), edges)));
}

/// One candidate, for one pass; backward asks for all gradients. `c` must outlive the candidate.
template <class T>
std::vector<candidate> edgewise_attention(attention_case<T>& c, bool backward, cudaStream_t stream) {
  return with_attention(
      c, [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
        return std::vector<candidate>{program_candidate(c.graph(), program, in, y, dy, backward, stream, grads...)};
      });
}
template <class T>
std::vector<candidate> edgewise_edge_attention(attention_case<T>& c, bool backward, cudaStream_t stream) {
  return with_edge_attention(
      c, [&](auto const& kernel, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
        return std::vector<candidate>{kernel_candidate("hand_over", kernel, in, y, dy, backward, stream, grads...)};
      });
}

/// What the pass costs at least.
template <class T>
plan_cost attention_cost(attention_case<T>& c, bool backward) {
  return with_attention(c,
                        [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
                          return program_cost(c.graph(), program, in, y, dy, backward, grads...);
                        });
}
template <class T>
plan_cost edge_attention_cost(attention_case<T>& c, bool backward) {
  return with_edge_attention(
      c, [&](auto const& kernel, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
        return backward ? kernel.backward_cost(in, grad_out(dy), grads...) : kernel.forward_cost(in, edgewise::out(y));
      });
}

}  // namespace edgewise::bench
