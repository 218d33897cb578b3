// Scores of one number per head: a thread has that of one edge and head, in place of those of its own chunks.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/register/cuda_geometry.hpp>
#include <edgewise/register/exchange.hpp>
#include <edgewise/register/geometry_concept.hpp>
#include <edgewise/register/score_geometry.hpp>

namespace edgewise::inline v0::detail {

/// Has a score of these leaves no channels, so that a thread can have one of its own? Random numbers and masks are left
/// where they are.
template <class Leaves, class Table>
inline constexpr bool are_numbers = false;
template <class... Leaf, class Table>
inline constexpr bool are_numbers<type_list<Leaf...>, Table> = ([] {
  using bound = bound_for<Leaf, Table>;
  if constexpr (std::is_void_v<bound>) {
    return false;
  } else {
    return is_operand_bound<bound>::value && extent_of_kind(bound::kind) != extent::wide;
  }
}() && ...);

/// Can each thread take a score of a program: is it one softmax sum of rows whose scores read numbers per head or
/// row, and nothing twice?
template <class Aggregations, class Table>
inline constexpr bool has_thread_scores = false;
template <class Score, class Value, class Table>
inline constexpr bool has_thread_scores<type_list<softmax_aggregation<Score, Value>>, Table> =
    !has_channel_sum<Score> && !has_channel_sum<Value> && are_numbers<typename Score::leaves, Table> &&
    table_kinds<bound_subset<typename Value::leaves, Table>>::any_wide;

/// Do such scores differ from head to head?
template <class Aggregations, class Table>
inline constexpr bool has_scores_by_head = false;
template <class Score, class Value, class Table>
inline constexpr bool has_scores_by_head<type_list<softmax_aggregation<Score, Value>>, Table> =
    table_kinds<bound_subset<typename Score::leaves, Table>>::any_per_head;

/// Which thread has which score of a tile. The threads of a group stand edge after edge, for each edge one for each
/// head of the tile and as many more as make a power of two: the numbers of one vertex lie side by side in a load.
template <class Geometry>
struct thread_score_layout {
  static constexpr int group_size = Geometry::group_size;
  int step;                                  ///< threads per edge
  int shift;                                 ///< log2(step)
  int edge;                                  ///< this thread's edge, in a round
  int head;                                  ///< this thread's head, in the tile
  int place_of_chunk[Geometry::max_chunks];  ///< of the threads of an edge, which one has a chunk's head

  EDGEWISE_HD thread_score_layout(Geometry const& geo, bool has_heads) : step(1), shift(0) {
    int const heads = has_heads ? geo.end_head - geo.first_head : 1;
    while (step < heads) {  // at most 3 steps, once per group
      step *= 2;
      ++shift;
    }
    edge = geo.thread >> shift;
    head = geo.thread & (step - 1);
    EDGEWISE_UNROLL
    for (int c = 0; c < Geometry::max_chunks; ++c) place_of_chunk[c] = (geo.head(c) - geo.first_head) & (step - 1);
  }
  EDGEWISE_HD int edges_a_round() const { return group_size >> shift; }
};

/// Is the value of a softmax sum under a mask without channels, as `dropout(softmax(s), p) * v` is? Then the thread
/// that has a weight drops it, once for all channels.
template <class Value, class Env>
consteval bool drops_weights() {
  if constexpr (is_dropout<Value>) {
    return Value::template mask_extent<Env>() != extent::wide;
  } else {
    return false;
  }
}
/// The value without such a mask.
template <bool IsDropped, class Value>
EDGEWISE_HD constexpr auto const& value_under_mask(Value const& value) {
  if constexpr (IsDropped) {
    return value.arg;
  } else {
    return value;
  }
}

/// What chunks have of their heads, as the threads need it that have those heads' scores.
template <class Geometry, class From, class To>
EDGEWISE_HD void move_to_thread(Geometry const& geo, thread_score_layout<Geometry> const& split, From const& from,
                                To& to) {
  if constexpr (is_uniform(From::extent_of)) {
    to.at(0, 0, 0) = from.at(0, 0, 0);
  } else {
    int const chunk = split.head << geo.chunk_shift;  // the head's first
    EDGEWISE_UNROLL
    for (int c = 0; c < Geometry::max_chunks; ++c) {
      auto const x = of_thread<Geometry::group_size>(from.at(0, c, 0), chunk % Geometry::group_size);
      if (c == 0 || chunk / Geometry::group_size == c) to.at(0, 0, 0) = x;
    }
  }
}

/// `walk` of a softmax sum with a score per thread: a round computes the scores of 4 to 32 edges, each once; blocks of
/// edges then read rows, and are told neighbors and weights by the threads that have them. The largest score is that of
/// all edges so far, the sum of weights is open over threads until the walk ends.
template <int Edges, class Pass, class Env, class Grouping, class Offset, class State>
EDGEWISE_HD void walk_by_rounds(Pass const& pass, Env const& row_env, Grouping const& grouping, Offset begin,
                                Offset end, Offset stop, State& state) {
  using Geometry = typename Env::geometry;
  using T = typename Pass::accumulator;
  using Index = typename Grouping::index_type;
  using aggregation_type = type_at<0, typename Pass::aggregation_types>;
  using score_leaves = typename decltype(aggregation_type::score)::leaves;
  using varying_type = typename pass_registers<Pass, typename Env::geometry, Edges>::varying;
  using edge_env = decltype(extend(std::declval<Env const&>(), std::declval<varying_type const&>()));
  constexpr bool is_dropped = drops_weights<decltype(aggregation_type::value), edge_env>();
  using value_type =
      std::remove_cvref_t<decltype(value_under_mask<is_dropped>(std::declval<aggregation_type const&>().value))>;
  using value_leaves = typename value_type::leaves;
  using tables = typename Pass::tables;
  using score_fixed = bound_subset<score_leaves, typename tables::fixed_table>;
  using score_others = bound_subset<score_leaves, typename tables::needed_others>;
  using score_edges = bound_subset<score_leaves, typename tables::needed_edges>;
  using value_others = bound_subset<value_leaves, typename tables::needed_others>;
  using value_edges = bound_subset<value_leaves, typename tables::needed_edges>;
  constexpr int group_size = Geometry::group_size;
  static_assert(Edges == 1 || Edges == 2 || Edges == 4, "a round has four edges or more, and whole blocks of them");
  constexpr bool needs_edges = is_dropped || score_edges::size > 0 || value_edges::size > 0;

  Geometry const& geo = row_env.geo;
  auto const& aggregation = get<0>(pass.program.aggregations);
  auto& softmax = get<0>(state.aggregations);
  using score_state = std::remove_cvref_t<decltype(softmax.weights.largest)>;
  thread_score_layout<Geometry> const split(geo, !is_uniform(score_state::extent_of));
  score_geometry const score_geo{geo.first_head + split.head, geo.first_head + split.head < geo.end_head};
  int const edges_a_round = split.edges_a_round();

  registers<score_geometry, T, 1, score_fixed> fixed;
  [&]<class... Bound>(type_list<Bound...>) {
    (move_to_thread(geo, split, row_env.template leaf_value<typename Bound::leaf>(),
                    slot_value<typename Bound::leaf>(fixed)),
     ...);
  }(score_fixed{});
  bare_environment<score_geometry, T> const nothing{score_geo};
  auto const fixed_env = extend(nothing, fixed);

  // Of this thread's edge, `later` edges after position `from`; positions behind the row are not formed, whose number
  // may be too large for an offset.
  auto const has_edge = [&](Offset from, int later) { return end - from > later + split.edge; };
  auto const read_neighbor = [&](Offset from, int later) {
    return has_edge(from, later)
               ? read_element(find_element(grouping.neighbors, static_cast<Offset>(from + (later + split.edge))))
               : Index(0);
  };
  auto const read_edge = [&](Offset from) {
    if (!has_edge(from, 0)) return Offset(0);
    Offset const position = from + split.edge;
    return grouping.edge_ids ? read_element(find_element(grouping.edge_ids, position)) : position;
  };

  T largest = negative_infinity<T>();
  T weight = T(0);
  T p = T(0);  // the weight, 0 where it is dropped
  Index neighbor = read_neighbor(begin, 0);
  Index ahead = read_neighbor(begin, edges_a_round);
  Offset edge = needs_edges ? read_edge(begin) : Offset(0);
  int at = 0;  // the thread at which the block begins in its round
  for (Offset first = begin; first < stop; first += Edges) {
    Index neighbors[Edges];
    Offset edges[Edges];
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      int const from = at + b * split.step;
      neighbors[b] = of_thread<group_size>(neighbor, from);
      edges[b] = value_edges::size > 0 ? of_thread<group_size>(edge, from) : Offset(0);
    }
    varying_type varying;
    load_leaves(value_others{}, geo, pass.operands, neighbors, varying);
    load_leaves(value_edges{}, geo, pass.operands, edges, varying);

    if (at == 0) {  // the same for the whole warp; rows are on their way meanwhile
      registers<score_geometry, T, 1, concat_types<score_others, score_edges>> numbers;
      Index const my_neighbor[1] = {neighbor};
      Offset const my_edge[1] = {edge};
      load_leaves(score_others{}, score_geo, pass.operands, my_neighbor, numbers);
      load_leaves(score_edges{}, score_geo, pass.operands, my_edge, numbers);
      T score = aggregation.score.trace(extend(fixed_env, numbers)).value.at(0, 0, 0);
      bool const counts = score_geo.is_inside && has_edge(first, 0);
      score = counts ? score : negative_infinity<T>();
      T now = larger_number(largest, score);  // a NaN score makes its weight NaN below
      for (int m = split.step; m < group_size; m <<= 1) now = larger_number(now, of_other<group_size>(now, m));
      T const base = now == negative_infinity<T>() ? T(0) : now;
      T const rescale = fast_exp(largest - base);
      p = fast_exp(score - base);
      weight = multiply_add(weight, rescale, p);
      if constexpr (is_dropped) {
        auto const& value = aggregation.value;
        using name = typename std::remove_cvref_t<decltype(value)>::name;
        auto const number = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Offset>>(edge));
        p = value.keep_number(row_env.template leaf_value<random_leaf<name>>().at(0, 0, 0), number, score_geo.of, p);
      }
      largest = now;
      score_state rescales;
      for_each_entry<score_state>(geo, [&](int, int c, int) {
        rescales.at(0, c, 0) = of_thread<group_size>(rescale, split.place_of_chunk[c]);
      });
      for_each_entry<std::remove_cvref_t<decltype(softmax.total)>>(
          geo, [&](int, int c, int l) { softmax.total.at(0, c, l) *= rescales.at(0, c, l); });
    }

    auto const x = value_under_mask<is_dropped>(aggregation.value).trace(extend(row_env, varying)).value;
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      score_state weights;
      for_each_entry<score_state>(geo, [&](int, int c, int) {
        weights.at(0, c, 0) = of_thread<group_size>(p, at + b * split.step + split.place_of_chunk[c]);
      });
      for_each_entry<std::remove_cvref_t<decltype(softmax.total)>>(geo, [&](int, int c, int l) {
        // A masked edge (weight 0) is left out by selection: its value may be NaN or infinite.
        T const sum = multiply_add(weights.at(0, c, l), x.at(b, c, l), softmax.total.at(0, c, l));
        softmax.total.at(0, c, l) = weights.at(0, c, l) == T(0) ? softmax.total.at(0, c, l) : sum;
      });
    }

    at += Edges * split.step;
    if (at == group_size) {
      at = 0;
      neighbor = ahead;
      Offset const next = first + Edges;
      ahead = read_neighbor(next, edges_a_round);
      if constexpr (needs_edges) edge = read_edge(next);
    }
  }
  for (int m = split.step; m < group_size; m <<= 1) weight += of_other<group_size>(weight, m);
  for_each_entry<score_state>(geo, [&](int, int c, int) {
    softmax.weights.largest.at(0, c, 0) = of_thread<group_size>(largest, split.place_of_chunk[c]);
    softmax.weights.weight.at(0, c, 0) = of_thread<group_size>(weight, split.place_of_chunk[c]);
  });
}

}  // namespace edgewise::inline v0::detail
