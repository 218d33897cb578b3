// A softmax over edges that are not grouped: three traversals, the first two of which combine scores with their
// destinations; the last one sums weighed values there, or stores them.
#pragma once

#include <edgewise/pass/coo_walk.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/ordered_word.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/pass/scatter_add.hpp>
#include <edgewise/program/edge_softmax.hpp>

namespace edgewise::inline v0::detail {

/// What the traversals leave at destinations for the later ones, [destinations, elements of a score].
struct largest_score_field {};  ///< as an ordered word
struct weight_field {};         ///< sum of exp(score - largest)

/// What one traversal makes.
enum class softmax_step {
  largest,  ///< the largest score of each destination
  weight,   ///< the sum of exp(score - largest) of each destination
  total,    ///< the sum of exp(score - largest) / weight * value of each destination
  edges     ///< exp(score - largest) / weight * value of each edge
};

/// The leaves of a softmax that the steps add to the program's own.
template <operand_kind ScoreKind, class T>
struct softmax_bounds {
  using largest_leaf = leaf<role::destination, aggregation_field<0, largest_score_field>>;
  using weight_leaf = leaf<role::destination, aggregation_field<0, weight_field>>;
  using largest = bound_leaf<largest_leaf, ScoreKind, typename ordered_word<T>::type const>;
  using weight = bound_leaf<weight_leaf, ScoreKind, T const>;
};

/// What an edge's score is measured by: the largest of its destination. Rows whose scores are all -inf form no (-inf) -
/// (-inf).
template <class T, class Word>
EDGEWISE_HD T base_of_scores(Word word) {
  T const x = ordered_word<T>::decode(word);
  return x == negative_infinity<T>() ? T(0) : x;
}

/// What an edge contributes to a step.
template <softmax_step Step, class Bounds, class Aggregation, class Env>
EDGEWISE_HD auto softmax_contribution(Aggregation const& aggregation, Env const& env) {
  using T = typename Env::accumulator;
  auto const score = aggregation.score.trace(env).value;
  if constexpr (Step == softmax_step::largest) {
    return score;
  } else {
    auto const& word = env.template leaf_value<typename Bounds::largest_leaf>();
    auto const weigh = [](T s, auto w) { return fast_exp(s - base_of_scores<T>(w)); };
    if constexpr (Step == softmax_step::weight) {
      return map(env.geo, weigh, score, word);
    } else {
      auto const p = map(
          env.geo, [&](T s, auto w, T sum) { return sum == T(0) ? sum : weigh(s, w) / sum; }, score, word,
          env.template leaf_value<typename Bounds::weight_leaf>());
      // A masked edge (score -inf) is left out by selection: its value may be NaN or infinite.
      return map(
          env.geo, [](T share, T v) { return share == T(0) ? share : share * v; }, p,
          aggregation.value.trace(env).value);
    }
  }
}

template <softmax_step Step, class Program, class Table, operand_kind ScoreKind, class Accumulator, class Out>
struct coo_softmax_pass : coo_pass {
  using accumulator = Accumulator;
  using aggregation = std::remove_cvref_t<decltype(get<0>(std::declval<Program const&>().aggregations))>;
  using score_type = std::remove_cvref_t<decltype(std::declval<aggregation const&>().score)>;
  using value_type = std::remove_cvref_t<decltype(std::declval<aggregation const&>().value)>;
  using bounds = softmax_bounds<ScoreKind, Accumulator>;
  static constexpr bool weighs_values = Step == softmax_step::total || Step == softmax_step::edges;
  using all_bounds = concat_types<Table, type_list<typename bounds::largest, typename bounds::weight>>;
  using roots = std::conditional_t<weighs_values, type_list<score_type, value_type>, type_list<score_type>>;
  using needed = unique_types<concat_types<
      typename score_type::leaves, std::conditional_t<weighs_values, typename value_type::leaves, type_list<>>,
      std::conditional_t<Step == softmax_step::largest, type_list<>, type_list<typename bounds::largest_leaf>>,
      std::conditional_t<weighs_values, type_list<typename bounds::weight_leaf>, type_list<>>>>;
  using table = bound_subset<needed, all_bounds>;
  using tables = coo_tables<table, needed>;
  using loads = tables;
  using held = hoisted_expressions<roots, role::parameter>;
  template <class Geometry>
  using launch_leaves = needed;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using block_hoisted = typename held::template of<duration::block>;
  static constexpr bool scatters_to_destinations = true;
  static constexpr bool needs_edge = Step == softmax_step::edges;
  static constexpr bool sums_inside = has_channel_sum<score_type> || (weighs_values && has_channel_sum<value_type>);
  static constexpr layout_need need = find_layout_need<sums_inside, table, type_list<>>();

  /// Does anything that the step reads or writes vary over channels, over heads? The last step writes whole rows of
  /// values, and scores that are dropped keep whole rows.
  static constexpr bool has_channels = weighs_values || !has_own_extents<table>;
  static constexpr bool has_heads = has_channels || ScoreKind == operand_kind::per_head;

  Program program;
  operand_pointers<all_bounds> operands;
  typename ordered_word<Accumulator>::type* largest;  ///< cleared before the first step
  Accumulator* weight;                                ///< cleared before the first step
  Out* out;                                           ///< cleared before it, or one row per edge, by edge id
  std::int64_t out_row_stride;
  softmax_normalizer<Accumulator>*
      normalizers;  ///< kept for the backward pass by the last step, of destinations with edges; may be null

  template <class Geometry>
  using contribution_value = std::remove_cvref_t<decltype(softmax_contribution<Step, bounds>(
      std::declval<aggregation const&>(),
      std::declval<typename pass_registers<coo_softmax_pass, Geometry, 1>::env const&>()))>;

  /// What a run of edges with one destination makes of it: one atomic per element for the whole run.
  template <class Geometry>
  struct state {
    struct nothing {};
    std::conditional_t<Step == softmax_step::edges, nothing, contribution_value<Geometry>> sum;
    std::int64_t row = -1;  ///< of the run; -1 before the first edge
  };

  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const& launch, bool, State& s) const {
    if constexpr (Step != softmax_step::edges) leave_run(launch.geo, s);
  }

  template <int Edges, class Env, class Index, class Offset, class State>
  EDGEWISE_HD void step(Env const& env, edge_block<Edges, Index, Offset> const& block, State& s) const {
    hold(block_hoisted{}, program, env, [&](auto const& messages) {
      auto const x = softmax_contribution<Step, bounds>(get<0>(program.aggregations), messages);
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        if (!block.ok[b]) continue;
        auto const row = static_cast<std::int64_t>(block.destinations[b]);
        if constexpr (Step == softmax_step::edges) {
          store_edge(messages, row, static_cast<std::int64_t>(block.edges[b]), x, b, s);
        } else {
          combine(messages, row, x, b, s);
        }
      }
    });
  }

private:
  template <class Env, class V, class State>
  EDGEWISE_HD void combine(Env const& env, std::int64_t row, V const& x, int b, State& s) const {
    bool const begins = row != s.row;
    if (begins) {
      leave_run(env.geo, s);
      if constexpr (Step == softmax_step::total) keep_normalizer(env, row, b);
    }
    s.row = row;
    for_each_entry<std::remove_cvref_t<decltype(s.sum)>>(env.geo, [&](int, int c, int l) {
      auto const now = x.at(b, c, l);
      auto const before = s.sum.at(0, c, l);
      s.sum.at(0, c, l) = begins ? now : (Step == softmax_step::largest ? larger_number(before, now) : before + now);
    });
  }

  template <class Env, class V, class State>
  EDGEWISE_HD void store_edge(Env const& env, std::int64_t row, std::int64_t edge, V const& x, int b, State& s) const {
    if (row != s.row) keep_normalizer(env, row, b);
    s.row = row;
    store_row<kind_of_extent(V::extent_of)>(env.geo, out, out_row_stride, edge, x, b);
  }

  template <class Geometry, class State>
  EDGEWISE_HD void leave_run(Geometry const& geo, State const& s) const {
    if (s.row < 0) return;
    constexpr operand_kind kind = kind_of_extent(std::remove_cvref_t<decltype(s.sum)>::extent_of);
    if constexpr (Step == softmax_step::largest) {
      auto* const to = largest + s.row * row_elements(kind, geo);
      for_each_owned<kind>(geo, [&](int element, int c, int l) {
        auto const x = s.sum.at(0, c, l);
        if (x == x) keep_larger_word(to + element, ordered_word<Accumulator>::encode(x));  // a NaN spoils the weight
      });
    } else if constexpr (Step == softmax_step::weight && kind != operand_kind::wide) {
      // Of the tiles that a head or row is cut into, each holds the whole score, and one speaks for it.
      auto* const to = weight + s.row * row_elements(kind, geo);
      for_each_owned<kind>(geo, [&](int element, int c, int l) { add_to(to + element, s.sum.at(0, c, l)); });
    } else if constexpr (Step == softmax_step::weight) {
      scatter_add_row<kind, false>(geo, weight, row_elements(kind, geo), s.row, s.sum, 0);
    } else {
      scatter_add_row<kind, false>(geo, out, out_row_stride, s.row, s.sum, 0);
    }
  }

  /// Every run of a destination writes the same bits.
  template <class Env>
  EDGEWISE_HD void keep_normalizer(Env const& env, std::int64_t row, int b) const {
    if (normalizers == nullptr) return;
    auto const& word = env.template leaf_value<typename bounds::largest_leaf>();
    auto const& sum = env.template leaf_value<typename bounds::weight_leaf>();
    auto* const to = normalizers + row * row_elements(ScoreKind, env.geo);
    for_each_owned<ScoreKind>(env.geo, [&](int element, int c, int l) {
      to[element] = make_normalizer(ordered_word<Accumulator>::decode(word.at(b, c, l)), sum.at(b, c, l));
    });
  }

  /// Calls f(element of the row, chunk, channel) for what this thread speaks for of a row of a kind.
  template <operand_kind Kind, class Geometry, class F>
  EDGEWISE_HD static void for_each_owned(Geometry const& geo, F const& f) {
    if constexpr (Kind == operand_kind::per_row) {
      if (geo.owns_row()) f(0, 0, 0);
    } else {
      EDGEWISE_UNROLL
      for (int c = 0; c < geo.chunks(); ++c) {
        if constexpr (Kind == operand_kind::per_head) {
          if (geo.owns_head(c)) f(geo.head(c), c, 0);
        } else {
          int const valid = geo.valid_channels(c);
          EDGEWISE_UNROLL
          for (int l = 0; l < Geometry::channels_per_chunk; ++l) {
            if (l < valid) f(geo.offset(c) + l, c, l);
          }
        }
      }
    }
  }
};

/// Makes the inner term of a softmax's derivative, <output gradient, output> over the channels and heads that a score
/// spans: element by element of [rows, elements of a score].
template <class Out, class Grad, class T>
struct softmax_inner {
  Out const* out;
  std::int64_t out_row_stride;
  Grad const* gradient;
  std::int64_t gradient_row_stride;
  T* inner;
  std::int64_t scores;  ///< elements of a row of scores
  std::int64_t span;    ///< elements of a row of the output that one score spans

  EDGEWISE_HD void operator()(std::int64_t i) const {
    std::int64_t const row = i / scores;
    std::int64_t const first = (i - row * scores) * span;
    Out const* const x = out + row * out_row_stride + first;
    Grad const* const g = gradient + row * gradient_row_stride + first;
    T sum = T(0);
    for (std::int64_t k = 0; k < span; ++k) sum = multiply_add(static_cast<T>(x[k]), static_cast<T>(g[k]), sum);
    inner[i] = sum;
  }
};

}  // namespace edgewise::inline v0::detail
