// The forms of attention as fused programs, on either machine.
#pragma once

#include <cmath>
#include <cstdint>

#include <edgewise/edgewise.hpp>

#include "attention_reference.hpp"

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

/// Calls f(program, bindings, output, its adjoint, gradients...) for the form of `c`, a case with the arrays of
/// `attention_case` in any memory.
template <class Case, class F>
auto with_attention(Case& c, F const& f) {
  auto const& g = c.graph();
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

}  // namespace edgewise::bench
