// The graph of a task as a model reads it.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

#include "models/node_options.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// A copy in the context's memory, with the types of edges where `Graph`, the `graph_type` of a model, takes them. What
/// a model knows of the graph that it is trained on comes from its options, not from `data`, which may be a part of
/// that graph or another one: the number of types and the mean log-degree. Throws what `Graph` does, which is
/// `invalid_argument` where an edge has a type that the model does not know.
template <class Graph, class Context>
Graph model_graph(Context const& context, task const& data, models::node_options const& options) {
  using types = std::span<std::int32_t const>;
  if constexpr (std::is_constructible_v<Graph, Context const&, csr_view<>, csc_view<>, types, std::int64_t>) {
    return Graph(context, data.by_destination.view(), data.by_source.view(), types(data.edge_types),
                 options.num_relations);
  } else if constexpr (std::is_constructible_v<Graph, Context const&, csr_view<>, csc_view<>, double>) {
    return Graph(context, data.by_destination.view(), data.by_source.view(), options.mean_log_degree);
  } else {
    return Graph(context, data.by_destination.view(), data.by_source.view());
  }
}

}  // namespace edgewise::train
