// What a recipe is: all that differs from plan to plan, which passes run over which edges, with which memory.
#pragma once

#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/plan/capacity.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// A recipe is what a `plan` does. The plan checks arguments, keeps calls apart and remembers what was made where; a
/// recipe derives from `recipe_base` and says
///   leaves, accumulator, saved_type, out_kind   of its program
///   make(exec, in, how...)           makes schedules and memory; `how` is what the plan was given besides
///   rebuild(exec, graph)             takes another graph, of at most the capacity
///   workspace_bytes(), explain()     as `plan` documents them
///   saved(exec, mark)                what `make_saved` returns, with the mark of the plan that made it
///   with_cost(f)                     f(cost), cost being what its passes move and compute (cost/program_cost.hpp)
///   check_out_apart(view, in)        throws where the output would be written over what is still read
///   forward(exec, in, view, saved)   `saved` may be null. All that can be refused is, before anything is written
///   require_gradients<GradView, Request...>   says which gradients it cannot form; `ok`
///   backward(exec, in, saved, adjoint, requests...)   refuses before it writes, as `forward` does
///   attention<Storage>               `attention_weights`, with
///   attention_weights(exec, in, saved, view)
/// and, where it is not as said below,
///   out_rows(), out_rows_are         the rows of the output: destinations
///   out_extents(), num_parts, with_parts(view)   of a program whose output is several values side by side: one
///   check_graph(graph)               throws where the program cannot run on a graph
///   check_shapes(in)                 throws unless operands have the shapes that it was made for, one heads x channels
template <class Exec, class Graph, class Bindings>
class recipe_base {
public:
  using exec_type = Exec;
  using graph_type = Graph;
  using bindings_type = Bindings;
  using policy_type = void;  ///< how rows are split, where a recipe has a say in it
  static constexpr char const* out_rows_are = "destinations";
  static constexpr int num_parts = 1;

  Graph const& graph() const { return graph_; }
  graph_counts counts() const { return counts_of(graph_); }
  row_extents extents() const { return extents_; }
  /// Can the graph's arrays be read? Not of a plan for a capacity, before `rebuild`.
  bool is_rebuilt() const { return is_rebuilt_; }
  /// Throws `invalid_argument` where a graph is larger than there is room for.
  void check_room(Graph const& graph) const { check_capacity(counts_of(graph), capacity_, size_); }

  std::int64_t out_rows() const { return counts().destinations; }
  row_extents out_extents() const { return extents_; }
  template <class View>
  View const& with_parts(View const& view) const {
    return view;
  }
  static void check_graph(Graph const&) {}

protected:
  recipe_base(Graph const& graph, row_extents extents, sizing size)
      : graph_(graph),
        extents_(extents),
        capacity_(counts_of(graph)),
        size_(size),
        is_rebuilt_(size == sizing::exact) {}

  void take(Graph const& graph) {
    graph_ = graph;
    is_rebuilt_ = true;
  }

  Graph graph_;
  row_extents extents_;
  graph_counts capacity_;
  sizing size_;
  bool is_rebuilt_;
};

/// What recipes of programs of edges say to a call that they do not take.
struct no_attention {
  template <class Storage>
  struct refused {
    static_assert(std::is_void_v<Storage>,
                  "attention_weights: are of gather<sum>(softmax(score) * value); scatter(softmax(score)) has them as "
                  "its output");
    static constexpr operand_kind kind = operand_kind::per_row;
  };
};

}  // namespace edgewise::inline v0::detail
