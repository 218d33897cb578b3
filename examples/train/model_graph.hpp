// The graph of a task as a model reads it.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>

#include "train/task.hpp"

namespace edgewise::train {

/// A copy in the context's memory, with the types of edges where `Graph`, the `graph_type` of a model, takes them.
template <class Graph, class Context>
Graph model_graph(Context const& context, task const& data) {
  using types = std::span<std::int32_t const>;
  if constexpr (std::is_constructible_v<Graph, Context const&, csr_view<>, csc_view<>, types, std::int64_t>) {
    return Graph(context, data.by_destination.view(), data.by_source.view(), types(data.edge_types),
                 data.num_edge_types);
  } else {
    return Graph(context, data.by_destination.view(), data.by_source.view());
  }
}

}  // namespace edgewise::train
