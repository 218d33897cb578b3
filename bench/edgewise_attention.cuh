// The library's side of bench_attention: the forms as fused programs, planned once.
#pragma once

#include <cmath>
#include <vector>

#include "attention_case.cuh"
#include "edgewise_program.cuh"

namespace edgewise::bench {

// operands, named by their part in the score
struct query;
struct key;
struct value;
struct direction;
struct feature;

inline auto transformer_program(std::int32_t channels) {
  return gather<sum>(softmax(dot(dst<query>, src<key>) * (1 / std::sqrt(static_cast<double>(channels)))) * src<value>);
}
inline auto edge_transformer_program(std::int32_t channels) {
  auto const score = dot(dst<query>, src<key> + edge<feature>) * (1 / std::sqrt(static_cast<double>(channels)));
  return gather<sum>(softmax(score) * (src<value> + edge<feature>));
}
inline constexpr auto gat_program =
    gather<sum>(softmax(leaky_relu(src<key> + dst<query>, double{attention_slope})) * src<value>);
inline constexpr auto gatv2_program =
    gather<sum>(softmax(dot(param<direction>, leaky_relu(dst<query> + src<key>, double{attention_slope}))) * src<key>);

/// Calls f(program, bindings, output, its adjoint, gradients...) for the form of `c`.
template <class T, class F>
auto with_attention(attention_case<T>& c, F const& f) {
  device_graph const& g = c.graph();
  std::int32_t const heads = c.shape().heads, channels = c.shape().channels;
  auto const at_destinations = [&](auto* data) { return wide(data, g.num_destinations(), heads, channels); };
  auto const at_sources = [&](auto* data) { return wide(data, g.num_sources(), heads, channels); };
  auto const call = [&](auto const& program, auto const& in, auto const&... grads) {
    return f(program, in, at_destinations(c.out.data()), at_destinations(c.out_grad()), grads...);
  };
  switch (c.shape().form) {
    case attention_form::transformer:
      return call(transformer_program(channels),
                  bindings(bind<query>(at_destinations(c.destination())), bind<key>(at_sources(c.key())),
                           bind<value>(at_sources(c.value()))),
                  grad<query>(at_destinations(c.destination_grad.data())), grad<key>(at_sources(c.key_grad.data())),
                  grad<value>(at_sources(c.value_grad.data())));
    case attention_form::gat:
      return call(gat_program,
                  bindings(bind<query>(per_head(c.destination(), g.num_destinations(), heads)),
                           bind<key>(per_head(c.key(), g.num_sources(), heads)), bind<value>(at_sources(c.value()))),
                  grad<query>(per_head(c.destination_grad.data(), g.num_destinations(), heads)),
                  grad<key>(per_head(c.key_grad.data(), g.num_sources(), heads)),
                  grad<value>(at_sources(c.value_grad.data())));
    case attention_form::edge_transformer:
      throw invalid_argument("with_attention: features of edges have a call of their own, with_edge_attention");
    case attention_form::gatv2:
      break;
  }
  return call(gatv2_program,
              bindings(bind<query>(at_destinations(c.destination())), bind<key>(at_sources(c.key())),
                       bind<direction>(wide(c.parameter(), 1, heads, channels))),
              grad<query>(at_destinations(c.destination_grad.data())), grad<key>(at_sources(c.key_grad.data())),
              grad<direction>(wide(c.parameter_grad.data(), 1, heads, channels)));
}

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
