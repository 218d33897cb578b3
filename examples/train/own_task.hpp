// What a rank has of a task.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "train/task.hpp"

namespace edgewise::train {

/// The task of some vertices of another, which are numbered from 0 in the order given: their features, labels and rows
/// of the split. It has no edges.
task task_of_vertices(task const& data, std::span<std::int64_t const> vertices);

/// That of the vertices of a rank's graph; of one process the task itself, which must outlive it.
template <class Context>
using own_task_type = std::conditional_t<Context::is_ranked, task, task const&>;
template <class Context, class Graph>
own_task_type<Context> own_task(Context const&, task const& data, [[maybe_unused]] Graph const& graph) {
  if constexpr (!Context::is_ranked) {
    return data;
  } else if constexpr (requires { graph.groupings(); }) {
    return task_of_vertices(data, graph.groupings().vertices());
  } else {
    return task_of_vertices(data, graph.vertices());
  }
}

}  // namespace edgewise::train
