// The programs of bench_programs: of 64 channels, each with its operands of either element type.
#pragma once

#include <edgewise/edgewise.hpp>

#include <cstdint>

#include "harness/host_graph.hpp"

namespace edgewise::bench {

struct feature;
struct weight;
struct factor;
struct query;
struct drop;

inline constexpr int program_channels = 64;

/// What programs may read. [S, 64] features, [V, 64] queries, [E] weights by edge id, [S] factors of vertices.
template <class T>
struct program_operands {
  T const* features;
  T const* queries;
  T const* weights;
  T const* factors;
  random_state const* numbers;
  std::int32_t num_sources;
  std::int32_t num_destinations;
  std::int64_t num_edges;

  auto of_features() const { return bind<feature>(wide(features, num_sources, 1, program_channels)); }
  auto of_queries() const { return bind<query>(wide(queries, num_destinations, 1, program_channels)); }
  auto of_weights() const { return bind<weight>(per_row(weights, num_edges)); }
  auto of_factors() const { return bind<factor>(per_row(factors, num_sources)); }
  auto of_drop() const { return bind<drop>(random_numbers(numbers, 0)); }
};

struct weighted_program {
  static constexpr char const* name = "sum";
  static constexpr auto program = gather<sum>(edge<weight> * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights()); }
};
struct factors_program {
  static constexpr char const* name = "factors";
  static constexpr auto program = dst<factor> * gather<sum>(src<factor> * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_factors()); }
};
struct dropout_program {
  static constexpr char const* name = "dropout";
  static constexpr auto program = gather<sum>(edge<weight> * dropout<drop>(src<feature>, 0.5));
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights(), a.of_drop()); }
};
/// Attention by scores that edges have, its weights kept or dropped as GAT drops them.
struct scored_program {
  static constexpr char const* name = "attention";
  static constexpr auto program = gather<sum>(softmax(edge<weight>) * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights()); }
};
struct dropped_weights_program {
  static constexpr char const* name = "dropped weights";
  static constexpr auto program = gather<sum>(dropout<drop>(softmax(edge<weight>), 0.5) * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights(), a.of_drop()); }
};
struct attention_program {
  static constexpr char const* name = "attention";
  static constexpr auto program = gather<sum>(softmax(dot(dst<query>, src<feature>)) * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_queries()); }
};

/// Positive weights, as they are and divided by the sum of their row.
struct squared_program {
  static constexpr char const* name = "squares";
  static constexpr auto program = gather<sum>(square(edge<weight>) * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights()); }
};
struct normalized_program {
  static constexpr char const* name = "over_row";
  static constexpr auto program =
      gather<sum>(square(edge<weight>) / over_row<sum>(square(edge<weight>)) * src<feature>);
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights()); }
};
/// Two hops: of vertices that are sources and destinations.
struct hops_program {
  static constexpr char const* name = "two hops";
  static constexpr auto program = gather<sum>(edge<weight> * at_source(gather<sum>(edge<weight> * src<feature>)));
  static auto bind(auto const& a) { return bindings(a.of_features(), a.of_weights()); }
};

/// Of features alone.
struct feature_program {
  static auto bind(auto const& a) { return bindings(a.of_features()); }
};
struct sum_program : feature_program {
  static constexpr char const* name = "sum";
  static constexpr auto program = gather<sum>(src<feature>);
};
struct mean_program : feature_program {
  static constexpr char const* name = "mean";
  static constexpr auto program = gather<mean>(src<feature>);
};
struct max_program : feature_program {
  static constexpr char const* name = "max";
  static constexpr auto program = gather<edgewise::max>(src<feature>);
};
struct min_program : feature_program {
  static constexpr char const* name = "min";
  static constexpr auto program = gather<edgewise::min>(src<feature>);
};
struct prod_program : feature_program {
  static constexpr char const* name = "prod";
  static constexpr auto program = gather<prod>(src<feature>);
};
struct stddev_program : feature_program {
  static constexpr char const* name = "stddev";
  static constexpr auto program = gather<stddev>(src<feature>);
};
struct self_program : feature_program {
  static constexpr char const* name = "with_self";
  static constexpr auto program = gather<sum>(with_self(src<feature>));
};
/// PNA's four aggregations.
struct four_program : feature_program {
  static constexpr char const* name = "concat";
  static constexpr auto program =
      concat(mean_program::program, max_program::program, min_program::program, stddev_program::program);
};

/// A pass of a program on the CPU in double: `expected` becomes its output [V, parts, 64], or the gradient of the
/// features [S, 64] from the adjoint [V, 64]. For the programs above.
template <class Named>
void run_on_host(host_graph const& graph, program_operands<double> const& operands, int parts, bool backward,
                 double const* adjoint, double* expected);
/// The gradient of the weights of `weighted_program`, [E] by edge id.
void weight_gradient_on_host(host_graph const& graph, program_operands<double> const& operands, double const* adjoint,
                             double* expected);
/// The weights of attention, [E] by edge id.
void attention_weights_on_host(host_graph const& graph, program_operands<double> const& operands, double* expected);

}  // namespace edgewise::bench
