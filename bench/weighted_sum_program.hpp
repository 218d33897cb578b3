// The weighted sum as a fused program, and what its passes move and compute at least, whoever runs them.
#pragma once

#include <edgewise/edgewise.hpp>

#include <cstdint>
#include <string>

namespace edgewise::bench {

struct feature;
struct weight;

/// out[v, :] = sum over the edges e into v of weight[e] * feature[source of e, :].
inline constexpr auto weighted_sum_program = gather<sum>(edgewise::edge<weight> * src<feature>);

/// The traversals of the weighted sum.
enum class pass {
  forward,      ///< out from weight and feature
  grad_source,  ///< feature' [S, channels] from weight and out'
  grad_edge     ///< weight' [E] from out' and feature: one dot product per edge
};

inline char const* pass_name(pass p) {
  switch (p) {
    case pass::forward:
      return "forward";
    case pass::grad_source:
      return "grad_source";
    case pass::grad_edge:
      return "grad_edge";
  }
  return "unknown";
}

/// Throws `invalid_argument` for a name that is none.
inline pass pass_from(std::string const& name) {
  for (pass p : {pass::forward, pass::grad_source, pass::grad_edge}) {
    if (name == pass_name(p)) return p;
  }
  throw invalid_argument(edgewise::detail::text("pass: '", name, "' is not forward, grad_source or grad_edge"));
}

/// The cost of a pass with operands stored as T. Weights lie in the order of edges in the grouping that is walked, as
/// peers have them: the library's own reading of edge ids is its own affair.
template <class T>
plan_cost weighted_sum_cost(pass p, std::int32_t destinations, std::int32_t sources, std::int32_t edges,
                            std::int32_t channels) {
  static T unread{};  // operands are described, their memory is not touched
  T* const data = &unread;
  auto const by_destination = csr_view<>{{.num_rows = destinations, .num_neighbors = sources, .num_edges = edges}};
  auto const by_source = csc_view<>{{.num_rows = sources, .num_neighbors = destinations, .num_edges = edges}};
  auto const kernel = fuse(edgewise::graph{by_destination, by_source}, automatic{}, weighted_sum_program);
  auto const x = wide(data, sources, channels), y = wide(data, destinations, channels);
  auto const w = per_row(data, edges);
  auto const in = bindings(bind<feature>(x), bind<weight>(w));
  if (p == pass::forward) return kernel.forward_cost(in, edgewise::out(y));
  if (p == pass::grad_source) return kernel.backward_cost(in, grad_out(y), grad<feature>(x));
  return kernel.backward_cost(in, grad_out(y), grad<weight>(w));
}

}  // namespace edgewise::bench
