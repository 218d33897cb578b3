// The sizes of a model that classifies vertices.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>

namespace edgewise::models {

/// `num_hidden`: channels of a hidden row, or of each of its `num_heads` heads; `num_output_heads` of the last layer
/// are averaged. Of monet heads are the kernels of both layers; other models without attention have one head, and
/// ignore these. `num_bases`: matrices that those of all `num_relations`, the types of edges, are combinations of; for
/// models of such graphs alone. Probabilities: `dropout` of elements of rows that dense products read,
/// `attention_dropout` of weights of edges, which are attention weights, or entries of the adjacency in appnp; other
/// models ignore it. `teleport` is the share of the prediction in each of appnp's hops. `mean_log_degree` is that of
/// the graph that pna is trained on (scaled_graph.hpp), for those that make its graphs; other models ignore it.
struct node_options {
  std::int64_t num_features;
  std::int64_t num_heads = 8;
  std::int64_t num_hidden = 8;
  std::int64_t num_classes;
  double dropout = 0.5;
  double attention_dropout = 0.0;
  std::int64_t num_output_heads = 1;
  std::int64_t num_relations = 1;
  std::int64_t num_bases = 1;
  double teleport = 0.1;
  double mean_log_degree = 1.0;
};

/// Calls f(name, field) for every field.
template <class Options, class F>
void for_each_field(Options& o, F const& f) {
  f("num_features", o.num_features);
  f("num_heads", o.num_heads);
  f("num_hidden", o.num_hidden);
  f("num_classes", o.num_classes);
  f("dropout", o.dropout);
  f("attention_dropout", o.attention_dropout);
  f("num_output_heads", o.num_output_heads);
  f("num_relations", o.num_relations);
  f("num_bases", o.num_bases);
  f("teleport", o.teleport);
  f("mean_log_degree", o.mean_log_degree);
}

/// Throws `invalid_argument` on an extent below 1.
inline void require_sizes(char const* model, node_options const& o) {
  if (o.num_relations < 1 || o.num_bases < 1) {
    throw invalid_argument(edgewise::detail::text(model, ": ", o.num_relations, " relations and ", o.num_bases,
                                                  " bases: each must be at least 1"));
  }
  if (o.num_features < 1 || o.num_heads < 1 || o.num_hidden < 1 || o.num_output_heads < 1 || o.num_classes < 1) {
    throw invalid_argument(edgewise::detail::text(model, ": ", o.num_features, " features, ", o.num_heads, " heads of ",
                                                  o.num_hidden, ", ", o.num_output_heads, " output heads and ",
                                                  o.num_classes, " classes: each must be at least 1"));
  }
}

}  // namespace edgewise::models
