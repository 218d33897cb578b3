// An engine from outside the library: the CPU's, which counts the traversals it runs. The skeleton of
// docs/add_an_engine.md.
#pragma once

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin resource]
/// An execution resource: what is passed as `exec`. Its arrays lie where `space` says.
struct traced : ew::cpu {
  int* traversals = nullptr;
};
// [end resource]

}  // namespace outside

// [begin engine]
/// What a plan asks of it (engine/concept.hpp): all but the traversal is the CPU's.
template <>
struct edgewise::detail::engine<outside::traced> : edgewise::detail::engine<edgewise::cpu> {
  template <class Extents = any_extents, class Pass, class Grouping, class Schedule>
  static void run(outside::traced const& exec, Pass const& pass, Grouping const& grouping, Schedule const& schedule,
                  row_extents extents, int chunk, workspace_view const& workspace) {
    ++*exec.traversals;
    engine<cpu>::run<Extents>(exec, pass, grouping, schedule, extents, chunk, workspace);
  }
};
template <>
struct edgewise::detail::argument_engine<outside::traced> : edgewise::detail::argument_engine<edgewise::cpu> {};
// [end engine]
