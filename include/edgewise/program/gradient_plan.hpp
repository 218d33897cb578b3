// Which gradients come from which stage: the epilogue's vertices, the destination traversal, the source traversal.
#pragma once

#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_checks.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/hoisted.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/softmax_so_far.hpp>

namespace edgewise::inline v0::detail {

/// The stages of a backward pass, in order; each adds to what earlier ones left for the same tensor.
enum class stage { vertex, destination, source, relation };

/// What the gradient of Leaf is stored as: the request's own type.
template <class Leaf, class... Request>
struct gradient_storage;
template <class Leaf, class First, class... Rest>
struct gradient_storage<Leaf, First, Rest...>
    : std::conditional_t<targets_leaf<typename First::target, Leaf>, type_tag<typename First::view_type::value_type>,
                         gradient_storage<Leaf, Rest...>> {};

/// The program reads the operand of a gradient. One struct per request, so that the compiler names the one that nothing
/// reads.
template <class Target, bool IsRead>
struct require_gradient_target {
  static_assert(IsRead,
                "backward: a gradient is asked for an operand that the program does not read (it is the first template "
                "argument of require_gradient_target in this message)");
  static constexpr bool ok = true;
};

/// The stage of the traversal whose rows are of role Fixed.
constexpr stage stage_of(role fixed) {
  return fixed == role::destination ? stage::destination : fixed == role::source ? stage::source : stage::relation;
}

/// Edge and parameter gradients ride on the destination traversal if it runs anyway, or if no source gradient is asked.
/// Those of relations have a traversal of their own, grouped by type.
template <class Program, class Table, class... Request>
struct gradient_plan {
  using aggregation_leaves = typename Program::leaves;
  /// The vertex stage pulls the epilogue and the self edges.
  using vertex_leaves = unique_types<concat_types<operand_leaves<typename Program::epilogue_type>,
                                                  typename pulled_leaves<typename Program::self_types>::type>>;

  template <class L>
  struct requested : std::bool_constant<(targets_leaf<typename Request::target, L> || ...)> {};
  template <class L>
  struct wanted_destination : std::bool_constant<requested<L>::value && L::role_of == role::destination> {};
  template <class L>
  struct wanted_source : std::bool_constant<requested<L>::value && L::role_of == role::source> {};
  template <class L>
  struct wanted_relation : std::bool_constant<requested<L>::value && L::role_of == role::relation> {};
  template <class L>
  struct wanted_shared
      : std::bool_constant<requested<L>::value && (L::role_of == role::edge || L::role_of == role::parameter)> {};

  static constexpr bool has_destination = filter_types<wanted_destination, aggregation_leaves>::size > 0;
  static constexpr bool has_source = filter_types<wanted_source, aggregation_leaves>::size > 0;
  static constexpr bool has_shared = filter_types<wanted_shared, aggregation_leaves>::size > 0;
  static constexpr bool runs_destination = has_destination || (has_shared && !has_source);
  static constexpr bool runs_source = has_source;
  static constexpr bool runs_relation = filter_types<wanted_relation, aggregation_leaves>::size > 0;
  static constexpr bool needs_source = runs_source;
  template <role Fixed>
  static constexpr bool runs = Fixed == role::destination ? runs_destination
                               : Fixed == role::source    ? runs_source
                                                          : runs_relation;

  template <class Leaves>
  struct target_table;
  template <class... L>
  struct target_table<type_list<L...>> {
    template <class M>
    using bound = bound_leaf<M, bound_for<M, Table>::kind, typename gradient_storage<M, Request...>::type>;
    using type = type_list<bound<L>...>;
  };

  using destination_leaves =
      concat_types<filter_types<wanted_destination, aggregation_leaves>,
                   std::conditional_t<runs_destination, filter_types<wanted_shared, aggregation_leaves>, type_list<>>>;
  using source_leaves =
      concat_types<filter_types<wanted_source, aggregation_leaves>,
                   std::conditional_t<runs_destination, type_list<>, filter_types<wanted_shared, aggregation_leaves>>>;
  using relation_leaves = filter_types<wanted_relation, aggregation_leaves>;
  using vertex_target_leaves = filter_types<requested, vertex_leaves>;

  template <role Fixed>
  using targets = typename target_table<
      std::conditional_t<Fixed == role::destination, destination_leaves,
                         std::conditional_t<Fixed == role::source, source_leaves, relation_leaves>>>::type;
  using vertex_targets = typename target_table<vertex_target_leaves>::type;

  template <class R, class Leaves>
  struct touches;
  template <class R, class... L>
  struct touches<R, type_list<L...>> : std::bool_constant<(targets_leaf<typename R::target, L> || ...)> {};

  template <class L>
  static constexpr bool asked_once = (0 + ... + (targets_leaf<typename Request::target, L> ? 1 : 0)) <= 1;
  template <class... L>
  static consteval bool each_asked_once(type_list<L...>) {
    return (asked_once<L> && ...);
  }
  static constexpr bool no_duplicates = each_asked_once(aggregation_leaves{}) && each_asked_once(vertex_leaves{});

  template <class R>
  using check_target = require_gradient_target<typename R::target, touches<R, aggregation_leaves>::value ||
                                                                       touches<R, vertex_leaves>::value>;
  static constexpr bool all_known = (check_target<Request>::ok && ...);

  /// Did an earlier stage than Now write to the request's tensor?
  template <stage Now, class R>
  static constexpr bool written_before = (Now > stage::vertex && touches<R, vertex_target_leaves>::value) ||
                                         (Now > stage::destination && touches<R, destination_leaves>::value) ||
                                         (Now > stage::source && touches<R, source_leaves>::value);

  /// Sets where the gradients of a stage go; returns the longest chunk that all of them allow.
  template <stage Now, class Targets>
  static int fill_gradients(gradient_pointers<Targets>& pointers, Request const&... requests) {
    return fill_gradients_among<Now, Targets>(pointers, requests...);
  }
  /// The same of pointers that are also to others than gradients.
  template <stage Now, class Targets, bool ReadsGaps = false, class Pointers>
  static int fill_gradients_among(Pointers& pointers, Request const&... requests) {
    return [&]<class... Bound>(type_list<Bound...>) {
      int chunk = longest_chunk;
      ((chunk = smaller(chunk, fill_one<Now, Bound, ReadsGaps>(pointers, requests...))), ...);
      return chunk;
    }(Targets{});
  }

private:
  template <stage Now, class Bound, bool ReadsGaps>
  static int fill_one(auto& pointers, Request const&... requests) {
    int chunk = longest_chunk;
    auto take = [&](auto const& request) {
      using R = std::remove_cvref_t<decltype(request)>;
      if constexpr (targets_leaf<typename R::target, typename Bound::leaf>) {
        using operand = bound_for<typename Bound::leaf, Table>;
        static_assert(std::is_same_v<accumulator_t<typename Bound::storage>, accumulator_t<typename operand::storage>>,
                      "grad: the gradient of a double is stored as double, that of a float, bfloat16 or float16 as one "
                      "of these");
        auto& to = pointers.template of<Bound>();
        to.data = component_address<typename Bound::leaf>(request.view.data);
        to.row_stride = request.view.row_stride;
        to.accumulate = R::accumulates || written_before<Now, R>;
        chunk = chunk_of_written<ReadsGaps>(request.view);
      }
    };
    (take(requests), ...);
    return chunk;
  }
};

/// Gradients that a plan can form. HasSource: the graph's edges are grouped by source too.
template <class Plan, bool HasSource>
struct require_gradients {
  static_assert(Plan::all_known);
  static_assert(Plan::no_duplicates,
                "backward: the gradient of an operand is asked for twice, by name and by role or in two tensors "
                "(program/gradient_plan.hpp)");
  static_assert(!Plan::needs_source || HasSource,
                "backward: the gradient of a source operand needs the edges grouped by source; build the graph with "
                "both groupings, graph{csr, csc}");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
