// fuse: a graph, a mapping and a program become a kernel that plans can be made of.
#pragma once

#include <edgewise/execute/edge_plan.hpp>
#include <edgewise/execute/plan.hpp>
#include <edgewise/execute/scatter_plan.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/mapping/feature_adaptive_group.hpp>
#include <edgewise/mapping/vertex_balanced.hpp>

namespace edgewise {

/// A program fused for graphs of a type: `plan` fixes operands and resources. Cheap to copy.
template <class Graph, class Mapping, class Program, class Extents = any_extents>
struct fused_kernel {
  Graph g;
  Mapping mapping;
  Program program;  ///< lowered

  /// Checks the operands and prepares everything that `forward` and `backward` need. Allocates; may synchronise the
  /// stream of `exec`. Throws `invalid_argument` naming the operand and both shapes, `cuda_error`, `std::bad_alloc`.
  template <class Exec, class... Binding>
  auto plan(Exec const& exec, binding_set<Binding...> const& in) const {
    return edgewise::plan<Exec, Graph, Mapping, Program, binding_set<Binding...>, Extents>(exec, g, mapping, program, in, detail::sizing::exact);
  }

  /// A plan for every graph of at most as many vertices and edges as this one; `rebuild` comes before the first pass. The
  /// arrays of the graph are not read, and nothing waits for the stream. On a device such a plan has room for more pieces
  /// of cut rows than one graph needs: up to half a row of features a row. Allocates; throws as `plan` does.
  template <class Exec, class... Binding>
  auto plan_for_capacity(Exec const& exec, binding_set<Binding...> const& in) const {
    return edgewise::plan<Exec, Graph, Mapping, Program, binding_set<Binding...>, Extents>(exec, g, mapping, program, in,
                                                                                  detail::sizing::capacity);
  }
};

/// Fuses a program: an expression over gathers, such as gather<sum>(edge<w> * src<h>). Graphs grouped by destination take
/// any mapping (mapping/concept.hpp), graph{coo} takes `edge_balanced`. Extents: `any_extents`, or `static_extents<H, D>`
/// where every plan has rows of H heads x D lanes (program/static_extents.hpp).
template <class... Formats, class Mapping, expression E, detail::row_extents_type Extents = any_extents>
auto fuse(graph<Formats...> const& g, Mapping const& mapping, E const& program, Extents = {}) {
  static_assert(detail::require_mapping<graph<Formats...>, Mapping>::ok);
  auto const lowered = detail::lower_program(program);
  return fused_kernel<graph<Formats...>, Mapping, std::remove_const_t<decltype(lowered)>, Extents>{g, mapping, lowered};
}
/// Chosen where the other one does not fit, to say what it takes. (nvcc would not look inside were the type stated.)
template <class First, class Second, class... Rest>
auto fuse(First const&, Second const&, Rest const&...) {
  static_assert(sizeof(First) == 0,
                "fuse: takes (graph{...}, mapping, program): a graph of formats, a mapping such as automatic{} and an "
                "expression over gathers");
}

}  // namespace edgewise
