// The sizes of a model that classifies the vertices of a graph with types of edges and without features.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>

namespace edgewise::models {

/// `num_bases`: matrices that those of all relations, the types of edges, are combinations of. `dropout`: the
/// probability by which elements of the hidden rows are dropped.
struct relational_options {
  static constexpr std::int64_t num_features = 0;  // the vertices have none: x is [V, 0]
  std::int64_t num_vertices;
  std::int64_t num_relations;
  std::int64_t num_bases;
  std::int64_t num_hidden = 16;
  std::int64_t num_classes;
  double dropout = 0.0;
};

/// Throws `invalid_argument` on an extent below 1, of vertices and relations below 0.
inline void require_sizes(char const* model, relational_options const& o) {
  if (o.num_vertices < 0 || o.num_relations < 0 || o.num_bases < 1 || o.num_hidden < 1 || o.num_classes < 1) {
    throw invalid_argument(edgewise::detail::text(model, ": ", o.num_vertices, " vertices, ", o.num_relations,
                                                  " relations, ", o.num_bases, " bases, ", o.num_hidden, " hidden and ",
                                                  o.num_classes, " classes: each must be at least 1, of vertices and ",
                                                  "relations 0"));
  }
}

}  // namespace edgewise::models
