// fuse: a graph, a mapping and a program become a kernel that plans can be made of.
#pragma once

#include <edgewise/execute/plan.hpp>
#include <edgewise/execute/scatter_plan.hpp>
#include <edgewise/mapping/row_mappings.hpp>

namespace edgewise {

/// A program fused for graphs of a type: `plan` fixes operands and resources. Cheap to copy.
template <class Graph, class Mapping, class Program>
struct fused_kernel {
  Graph g;
  Program program;  ///< lowered

  /// Checks the operands and prepares everything that `forward` and `backward` need. Allocates; may synchronise the
  /// stream of `exec`. Throws `invalid_argument` naming the operand and both shapes, `cuda_error`, `std::bad_alloc`.
  template <class Exec, class... Binding>
  auto plan(Exec const& exec, binding_set<Binding...> const& in) const {
    return edgewise::plan<Exec, Graph, Mapping, Program, binding_set<Binding...>>(exec, g, program, in);
  }
};

/// Fuses a program: an expression over gathers, such as gather<sum>(edge<w> * src<h>). Graphs grouped by destination take
/// a row mapping (mapping/row_mappings.hpp), graph{coo} takes `edge_balanced`.
template <class... Formats, class Mapping, expression E>
auto fuse(graph<Formats...> const& g, Mapping const&, E const& program) {
  static_assert(detail::mapping_fits<graph<Formats...>, Mapping>,
                "edge_balanced: scatters the edges of graph{coo}; for grouped edges use automatic (mapping/edge_balanced.hpp)");
  auto const lowered = detail::lower_program(program);
  return fused_kernel<graph<Formats...>, Mapping, std::remove_const_t<decltype(lowered)>>{g, lowered};
}

}  // namespace edgewise
