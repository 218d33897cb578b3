// fuse: a graph, a mapping and a program become a kernel that plans can be made of.
#pragma once

#include <edgewise/format/graph_capacity.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/degree_aware.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/mapping/feature_adaptive_group.hpp>
#include <edgewise/mapping/tensor_core.hpp>
#include <edgewise/mapping/vertex_balanced.hpp>
#include <edgewise/mapping/work_queue.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/plan/recipe/recipe_of.hpp>
#include <edgewise/plan/sums_choice.hpp>
#include <edgewise/program/components.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/products.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/sums.hpp>
#include <edgewise/program/units.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class Option>
struct is_extents_option : std::bool_constant<row_extents_type<Option>> {};
template <class Option>
struct is_keeping_option : std::bool_constant<is_keeping_policy<Option>> {};
template <class Option>
struct is_sums_choice : std::bool_constant<is_sums_option<Option>> {};
template <class Option>
struct is_handing_choice : std::bool_constant<is_handing_option<Option>> {};
template <class Option>
concept fuse_option = row_extents_type<Option> || is_keeping_policy<Option> || is_handing_option<Option> ||
    is_sums_option<Option> || is_product_option<Option> ||(inputs_along_edges<Option> > 0);

/// What a program of several units can be fused with.
template <class Program, class Graph, class Extents>
struct require_units {
  static constexpr bool is_one_traversal = !is_unit_program<Program> && !is_along_edges<Program>;
  static_assert(
      is_one_traversal || is_grouped<Graph>,
      "at_source, at_destination, over_row, linear, per_vertex: need grouped edges; over graph{coo} a program "
      "is one traversal, convert with to_csr (program/units.hpp)");
  static_assert(is_one_traversal || !is_static_extents<Extents>,
                "static_extents: units of a program may have rows of their own; leave it out (program/units.hpp)");
  static constexpr bool ok = true;
};

/// False where an engine, rows or edges are lacking: their own sentences have said so, and nothing has to follow them.
template <class Exec, class Graph, class Mapping>
consteval bool can_be_planned() {
  constexpr bool has_engine = requires { typename engine<Exec>::site; };
  if constexpr (is_grouped<Graph>) {
    return requires { typename graph_traits<Graph>::rows_type; }
    &&has_engine;
  } else {
    return (std::is_same_v<Mapping, automatic> || std::is_same_v<Mapping, edge_balanced>)&&has_engine;
  }
}

/// The option that satisfies Test, or else Default.
template <template <class> class Test, class Default, class... Option>
using option_of = type_at<0, concat_types<filter_types<Test, type_list<Option...>>, type_list<Default>>>;

}  // namespace detail

/// A program fused for graphs of a type: `plan` fixes operands and resources. Cheap to copy.
template <class Graph, class Mapping, class Program, class Extents = any_extents, class Sums = deterministic>
struct fused_kernel {
  Graph g;
  Mapping mapping;
  Program program;  ///< lowered

  /// Checks the operands and prepares everything that `forward` and `backward` need. Allocates; may synchronise the
  /// stream of `exec`, which must not be in a capture. Where the program reads sources and the graph has both groupings
  /// it also checks, by a sum of hashes in time linear in the edges, that they hold the same ones: endpoints, and ids
  /// where the program reads rows of edges or picks them (plan/same_edges.hpp). Throws `invalid_argument` naming the
  /// operand and both shapes, `cuda_error`, `std::bad_alloc`.
  template <class Exec, class... Binding>
  auto plan(Exec const& exec, binding_set<Binding...> const& in) const {
    return plan_of(exec, in, detail::sizing::exact);
  }
  /// Chosen where the bindings come first, to say what comes before them.
  template <class... Binding, class... Rest>
  auto plan(binding_set<Binding...> const&, Rest const&...) const {  // auto: nvcc would not look inside otherwise
    static_assert(sizeof...(Binding) > std::size_t(-2), "plan: takes (exec, bindings), as in plan(cpu{}, in)");
  }
  /// A plan whose rows are split as `policy` says, whatever the mapping would decide for this graph: what another
  /// plan's `policy()`, `parse_policy` or `autotune` returned. On a GPU slots take the memory of up to 2 * edges /
  /// longest rows of features, or with partitions and no tile of an output. Throws `invalid_argument` also for
  /// numbers that no schedule can have.
  template <class Exec, class... Binding>
  auto plan(Exec const& exec, binding_set<Binding...> const& in,
            schedule_policy<detail::split_of<Mapping>> const& policy) const {
    static_assert(
        detail::is_grouped<Graph>,
        "plan: edges of graph{coo} take no policy: edge_balanced splits them in equal shares, automatic decides "
        "for its groupings; convert with to_csr to give one");
    detail::check_split(policy.by_destination);
    detail::check_split(policy.by_source);
    return plan_of(exec, in, detail::sizing::exact, &policy);
  }

  /// A plan for every graph of at most as many vertices and edges as this one; `rebuild` comes before the first pass.
  /// The arrays of the graph are not read, and nothing waits for the stream. On a device such a plan has room for more
  /// pieces of cut rows than one graph needs: up to half a row of features per row; its gradients of parameters may
  /// differ in rounding from those of a plan for one graph. Allocates; throws as `plan` does.
  template <class Exec, class... Binding>
  auto plan_for_capacity(Exec const& exec, binding_set<Binding...> const& in) const {
    static_assert(
        detail::is_grouped<Graph> || !std::is_same_v<Mapping, automatic>,
        "plan_for_capacity: automatic groups the edges of graph{coo} once, for one graph; take edge_balanced, "
        "or regroup into one memory (format/regroup.cuh) and plan over that");
    return plan_of(exec, in, detail::sizing::capacity);
  }
  /// The same with numbers in place of a graph of the largest sizes: of the graph that `fuse` was given only the
  /// formats and their integers matter. `in` has as many rows as the capacity says.
  template <class Exec, class... Binding>
  auto plan_for_capacity(Exec const& exec, binding_set<Binding...> const& in, graph_capacity const& most) const {
    return fused_kernel{detail::graph_of(g, most), mapping, program}.plan_for_capacity(exec, in);
  }

  /// What a plan's `forward` and `backward` with these arguments cost at least, launch by launch. Neither memory of
  /// operands nor arrays of the graph are read. Gradients of max and min count as formed along argument edges where
  /// they may be; a plan, which knows whether they are, says so in its own `backward_cost`. Throws `invalid_argument`
  /// as `plan` does. For graphs grouped by destination.
  template <class... Binding, class OutView>
  plan_cost forward_cost(binding_set<Binding...> const& in, output<OutView> const&) const {
    return cost_of(in).template forward<typename OutView::value_type>(false);
  }
  template <class... Binding, class GradView, class... Request>
  plan_cost backward_cost(binding_set<Binding...> const& in, output_gradient<GradView> const&,
                          Request const&...) const {
    return cost_of(in).template backward<std::remove_const_t<typename GradView::value_type>>(type_list<Request...>{});
  }

private:
  template <class... Binding>
  auto cost_of(binding_set<Binding...> const& in) const {
    static_assert(detail::is_grouped<Graph>,
                  "forward_cost, backward_cost: are known over graphs grouped by destination, not over graph{coo}; "
                  "convert with to_csr");
    static_assert(!detail::is_unit_program<Program> && !detail::is_along_edges<Program>,
                  "forward_cost, backward_cost: ask the plan of a program of several units, which knows the shapes of "
                  "values between them");
    using bound = std::remove_cvref_t<decltype(detail::with_components_of(program, in))>;
    using cost = detail::program_cost<Graph, bound, binding_set<Binding...>>;
    return cost{g, detail::check_operands<typename cost::leaves>(in, detail::graph_traits<Graph>::counts(g))};
  }
  template <class Exec, class... Binding>
  auto plan_of(Exec const& exec, binding_set<Binding...> const& in, detail::sizing size,
               schedule_policy<detail::split_of<Mapping>> const* policy = nullptr) const {
    if constexpr (detail::can_be_planned<Exec, Graph, Mapping>()) {
      auto const bound = detail::with_components_of(program, in);
      using recipe = typename detail::recipe_of<Exec, Graph, Mapping, std::remove_const_t<decltype(bound)>,
                                                binding_set<Binding...>, Extents, Sums>::type;
      return edgewise::plan<recipe>(exec, recipe(g, bound, in, size), in, mapping, policy, detail::same_edges::checked);
    }
  }
};

/// Fuses a program: an expression over gathers, such as `gather<sum>(edge<w> * src<h>)`. Graphs grouped by destination
/// take any mapping (mapping/concept.hpp), graph{coo} takes `edge_balanced` or `automatic`. Options, in any order:
/// `static_extents<H, D>{}` where every plan has rows of H heads x D channels (program/static_extents.hpp);
/// `stash<...>{}` to keep values of edges for the backward pass, which by default are computed again, `recompute{}`
/// (program/stash.hpp); `hand_over{}` where traversals of a backward pass may leave one another two numbers per edge
/// and head, which by default both compute (program/hand_over.hpp); `nondeterministic{}` for sums that are faster on a
/// GPU by atomics, than the default `deterministic{}` allows (program/sums.hpp); `products_by(library)` where a library
/// computes the dense products of `linear` (program/products.hpp); `along_edges<8>{}` where those in messages are
/// formed for every edge (program/along_edges.hpp).
template <class... Formats, class Mapping, expression E, detail::fuse_option... Option>
auto fuse(graph<Formats...> const& g, Mapping const& mapping, E const& program, Option const&... option) {
  static_assert(detail::require_mapping<graph<Formats...>, Mapping>::ok);
  static_assert((0 + ... + (detail::row_extents_type<Option> ? 1 : 0)) <= 1 &&
                    (0 + ... + (detail::is_keeping_policy<Option> ? 1 : 0)) <= 1 &&
                    (0 + ... + (detail::is_handing_option<Option> ? 1 : 0)) <= 1 &&
                    (0 + ... + (detail::is_sums_option<Option> ? 1 : 0)) <= 1 &&
                    (0 + ... + (detail::is_product_option<Option> ? 1 : 0)) <= 1 &&
                    (0 + ... + (detail::inputs_along_edges<Option> > 0 ? 1 : 0)) <= 1,
                "fuse: an option is given twice");
  using Extents = detail::option_of<detail::is_extents_option, any_extents, Option...>;
  using policy = detail::option_of<detail::is_keeping_option, recompute, Option...>;
  using Sums = detail::option_of<detail::is_sums_choice, deterministic, Option...>;
  constexpr int inputs = (0 + ... + detail::inputs_along_edges<Option>);
  auto const chosen = detail::mapping_over<graph<Formats...>>(mapping);
  using Chosen = std::remove_const_t<decltype(chosen)>;
  constexpr bool over_tiles = detail::is_tile_split<detail::split_of<Chosen>>;  // which hand nothing over
  using Handing = std::conditional_t<over_tiles, void, detail::option_of<detail::is_handing_choice, void, Option...>>;
  auto const lowered = detail::with_handing<Handing>(
      detail::lower_program_with<policy, inputs>(program, detail::find_library(option...)));
  using Program = std::remove_const_t<decltype(lowered)>;
  using leaves = typename detail::program_leaves<Program>::type;
  static_assert(detail::require_units<Program, graph<Formats...>, Extents>::ok);
  static_assert(detail::require_types<detail::reads_role<role::relation, leaves>,
                                      detail::edges_have_types<graph<Formats...>>>::ok);
  if constexpr (!detail::require_units<Program, graph<Formats...>, Extents>::is_one_traversal &&
                !detail::is_grouped<graph<Formats...>>) {
    return;  // one sentence has said why
  } else {
    static_assert(detail::require_sums<Sums, graph<Formats...>, Mapping, Program>::ok);
    return fused_kernel<graph<Formats...>, Chosen, Program, Extents, Sums>{g, chosen, lowered};
  }
}
/// Chosen where the other one does not fit, to say what it takes. (nvcc would not look inside were the type stated.)
template <class First, class Second, class... Rest>
auto fuse(First const&, Second const&, Rest const&...) {
  static_assert(sizeof(First) == 0,
                "fuse: takes (graph{...}, mapping, program): a graph of formats, a mapping such as automatic{} and an "
                "expression over gathers");
}

}  // namespace edgewise::inline v0
