// How many operations gathers, and edges that are stored, add to those of expressions.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/count_flops.hpp>
#include <edgewise/program/edge_softmax.hpp>

namespace edgewise::inline v0::detail {

inline constexpr std::int64_t exp_flops = 8;  // as operation::exp says

/// Folding a message into its row's state, per edge. A softmax: a maximum, a difference, an exponential and a sum per
/// score; a product and a sum per element.
template <class Aggregation, class Table>
struct fold_flops {
  static std::int64_t count(row_extents) { return 0; }
};
template <class G, class M, class Table>
struct fold_flops<reduce_aggregation<G, M>, Table> {
  static std::int64_t count(row_extents extents) { return elements_along(axes_of<M, Table>, extents); }
};
template <class S, class Table>
struct fold_flops<normalizer_aggregation<S>, Table> {
  static std::int64_t count(row_extents extents) {
    return (exp_flops + 3) * elements_along(axes_of<S, Table>, extents);
  }
};
template <class S, class V, class Table>
struct fold_flops<softmax_aggregation<S, V>, Table> {
  static std::int64_t count(row_extents extents) {
    return fold_flops<normalizer_aggregation<S>, Table>::count(extents) +
           2 * elements_along(join_axes(axes_of<S, Table>, axes_of<V, Table>), extents);
  }
};

/// A merge of two pieces of a row: two exponentials a score, two products an element.
template <class L, class W, class V, class Table>
struct fold_flops<softmax_so_far<L, W, V>, Table> {
  static std::int64_t count(row_extents extents) {
    return 2 * fold_flops<normalizer_aggregation<L>, Table>::count(extents) +
           2 * elements_along(join_axes(axes_of<L, Table>, axes_of<V, Table>), extents);
  }
};

template <class Aggregations, class Table>
struct all_folds;
template <class... Aggregation, class Table>
struct all_folds<type_list<Aggregation...>, Table> {
  static std::int64_t count([[maybe_unused]] row_extents extents) {
    return (std::int64_t{0} + ... + fold_flops<Aggregation, Table>::count(extents));
  }
};

/// An aggregation's way from what its row offers to the adjoints of its roots: the values that it reads, and its
/// operations.
template <class Aggregation, class Targets, class Table>
struct aggregation_pull;
template <class G, class M, class Targets, class Table>
struct aggregation_pull<reduce_aggregation<G, M>, Targets, Table> {
  using values = concat_types<std::conditional_t<G::reads_message, type_list<M>, type_list<>>,
                              typename pull_values<M, Targets>::type>;
  /// Each field beyond the first is combined with it.
  static std::int64_t count(row_extents extents) {
    return static_cast<std::int64_t>(G::reads::size - 1) * elements_along(axes_of<M, Table>, extents);
  }
};
template <class L, class W, class V, class Targets, class Table>
struct aggregation_pull<softmax_so_far<L, W, V>, Targets, Table> {
  using values = type_list<>;
  static std::int64_t count(row_extents) { return 0; }
};
template <class M, class Targets, class Table>
struct aggregation_pull<edge_aggregation<M>, Targets, Table> {
  using values = typename pull_values<M, Targets>::type;
  static std::int64_t count(row_extents) { return 0; }
};
/// Pulling through a softmax computes the weight again; the inner product of gradient and value, from which the score's
/// adjoint comes; the value's adjoint.
template <class S, class V, class Targets, class Table>
struct softmax_pull {
  static constexpr bool to_score = depends_on<S, Targets>, to_value = depends_on<V, Targets>;
  using values = concat_types<type_list<S>, std::conditional_t<to_score, type_list<V>, type_list<>>,
                              typename pull_values<S, Targets>::type, typename pull_values<V, Targets>::type>;
  static std::int64_t count(row_extents extents) {
    std::int64_t const scores = elements_along(axes_of<S, Table>, extents);
    std::int64_t const elements = elements_along(join_axes(axes_of<S, Table>, axes_of<V, Table>), extents);
    return (exp_flops + 1) * scores + (to_score ? 2 * elements + 2 * scores : 0) + (to_value ? elements : 0);
  }
};
template <class S, class V, class Targets, class Table>
struct aggregation_pull<softmax_aggregation<S, V>, Targets, Table> : softmax_pull<S, V, Targets, Table> {};
template <class S, class V, class Targets, class Table>
struct aggregation_pull<edge_softmax_aggregation<S, V>, Targets, Table> : softmax_pull<S, V, Targets, Table> {};
template <class S, class V, class Targets, class Table>
struct aggregation_pull<handed_softmax<S, V>, Targets, Table> {
  using values = concat_types<typename pull_values<S, Targets>::type, typename pull_values<V, Targets>::type>;
  static std::int64_t count(row_extents extents) {
    return depends_on<V, Targets> ? elements_along(join_axes(axes_of<S, Table>, axes_of<V, Table>), extents) : 0;
  }
};

/// Backward over aggregations: those that lead to no target cost nothing.
template <class Aggregations, class Targets, role Fixed, class Table, duration Root = duration::block>
flop_count flops_of_backward(row_extents extents) {
  return [&]<class... Aggregation>(type_list<Aggregation...>) {
    using asked =
        concat_types<type_list<>,
                     std::conditional_t<depends_on<Aggregation, Targets>, type_list<Aggregation>, type_list<>>...>;
    return [&]<class... U>(type_list<U...>) {
      using values = unique_types<concat_types<type_list<>, typename aggregation_pull<U, Targets, Table>::values...>>;
      using roots = concat_types<type_list<>, aggregation_roots<U>...>;
      std::int64_t const own = (std::int64_t{0} + ... + aggregation_pull<U, Targets, Table>::count(extents));
      return flops_of_values<values, Fixed, Table>(extents) +
             pull_count<roots, Targets, Fixed, Table, Root>::count(extents) + flop_count{own, 0};
    }(asked{});
  }(Aggregations{});
}

}  // namespace edgewise::inline v0::detail
