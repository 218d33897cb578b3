// The backward pass over tiles: adjoints of slots by the program's own derivatives, products with rows of the output's
// gradient, and gradients of rows of operands on tensor cores.
#pragma once

#include <edgewise/pass/backward_pass.hpp>
#include <edgewise/pass/tile_forward.cuh>

namespace edgewise::inline v0::detail {

/// The name of the product of the output's gradient and an edge's row of the source.
struct tile_adjoint {};
using adjoint_leaf = leaf<role::edge, tile_adjoint>;

/// A target whose gradient is a number per head or row.
template <class Bound>
struct is_narrow_target : std::bool_constant<extent_of_kind(Bound::kind) != extent::wide> {};
template <class Bound>
struct is_row_target : std::bool_constant<Bound::kind == operand_kind::per_row> {};

template <class Program, class Table, class Targets, role Fixed, class Offset>
requires(program_fits_tiles<Program, Table>&& bound_in_role<role::parameter, Targets>::size ==
         0) struct tile_pass<backward_pass<Program, Table, Targets, Fixed, Offset, float>>
    : program_over_tiles<Program, Table> {
  using base = program_over_tiles<Program, Table>;
  using pass_type = backward_pass<Program, Table, Targets, Fixed, Offset, float>;
  using T = typename base::multiplied;
  static constexpr bool serves = true;
  static constexpr bool by_destination = Fixed == role::destination;

  using prepared = field_leaf<0, typename tile_gradient_field<typename base::aggregation>::type>;
  using rounded = field_leaf<0, rounded_field>;
  using field = std::conditional_t<std::is_void_v<bound_for<rounded, Table>>, prepared, rounded>;
  using field_bound = bound_for<field, Table>;
  // What is asked for: rows of both sides of the inner product and of the value, and numbers.
  using dot_side = std::conditional_t<by_destination, typename base::dot_destination, typename base::dot_source>;
  using dot_other = std::conditional_t<by_destination, typename base::dot_source, typename base::dot_destination>;
  static constexpr bool wants_dot_rows = base::has_dot && !std::is_void_v<bound_for<dot_side, Targets>>;
  static constexpr bool wants_value_rows =
      !by_destination && !std::is_void_v<bound_for<typename base::value_leaf, Targets>>;
  static constexpr bool has_two_sums = wants_dot_rows && wants_value_rows;
  using row_numbers = filter_types<is_narrow_target, bound_in_role<Fixed, Targets>>;
  using edge_numbers = filter_types<is_narrow_target, bound_in_role<role::edge, Targets>>;
  static constexpr bool pulls = wants_dot_rows || row_numbers::size > 0 || edge_numbers::size > 0;
  static constexpr bool needs_whole_heads = base::has_dot || pulls;
  static constexpr bool needs_whole_rows =
      filter_types<is_row_target, concat_types<row_numbers, edge_numbers>>::size > 0;

  // Own rows and those of columns: of the inner product, and of the product with the gradient.
  using own_dot = bound_for<dot_side, Table>;
  using column_dot = bound_for<dot_other, Table>;
  using own_value = std::conditional_t<by_destination, field_bound, typename base::value_bound>;
  using column_value = std::conditional_t<by_destination, typename base::value_bound, field_bound>;

  using fields =
      std::conditional_t<base::is_softmax, type_list<field_leaf<0, normalizer_field>, field_leaf<0, inner_field>>,
                         type_list<>>;
  using tables = slot_tables<pass_type, Fixed, concat_types<typename base::slot_leaves, fields>>;
  static constexpr bool has_ids = tables::edges::size > 0 || edge_numbers::size > 0;
  static constexpr bool copies_value = pulls || wants_value_rows;
  static constexpr bool copies_dot = base::has_dot && !(copies_value && std::is_same_v<column_dot, column_value>);
  using copied = concat_types<std::conditional_t<base::has_dot, type_list<own_dot, column_dot>, type_list<>>,
                              std::conditional_t<copies_value, type_list<own_value, column_value>, type_list<>>>;
  template <int Channels>
  static constexpr int value_place = copies_dot ? tile_rows<T, Channels>::bytes : 0;
  template <int Channels>
  static constexpr int stage_bytes = value_place<Channels> + (copies_value ? tile_rows<T, Channels>::bytes : 0);

  template <int Channels>
  struct state {
    accumulators<(wants_dot_rows ? Channels / 8 : 1)> dot_rows;
    accumulators<(wants_value_rows ? Channels / 8 : 1)> value_rows;
    adjoint_sums<score_geometry, float, 1, row_numbers> numbers[2];
  };

  template <int Channels, class Index>
  struct window {
    registers<score_geometry, float, 1, typename tables::fixed> rows[2];
    window_rows_fragment<T, Channels> dot;
    window_rows_fragment<T, Channels> value;

    template <bool Words>
    EDGEWISE_DEVICE void load(pass_type const& pass, score_geometry const& geo, tile_channels const& part,
                              Index const (&rows_of)[2], bool const (&live)[2]) {
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        Index const row[1] = {rows_of[r]};
        load_leaves(typename tables::fixed{}, geo, pass.operands, row, rows[r]);
      }
      if constexpr (base::has_dot) {
        dot.template load<Words>(pass.operands.template of<own_dot>(), part, rows_of, live);
      }
      if constexpr (pulls) {
        value.template load<Words>(pass.operands.template of<own_value>(), part, rows_of, live);
      }
    }
  };

  template <int Channels, bool Words, class Index>
  EDGEWISE_DEVICE static void copy(pass_type const& pass, tile_channels const& part, Index column, char* stage) {
    if constexpr (copies_dot) {
      copy_tile_rows<T, Channels, Words>(pass.operands.template of<column_dot>(), part, column, stage);
    }
    if constexpr (copies_value) {
      copy_tile_rows<T, Channels, Words>(pass.operands.template of<column_value>(), part, column,
                                         stage + value_place<Channels>);
    }
  }

  template <int Channels>
  EDGEWISE_DEVICE static void start(state<Channels>& s) {
    if constexpr (wants_dot_rows) clear<Channels / 8>(s.dot_rows);
    if constexpr (wants_value_rows) clear<Channels / 8>(s.value_rows);
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) s.numbers[r].clear(score_geometry{0, true});
  }

  template <int Channels, class Window, class Index, class Numbers>
  EDGEWISE_DEVICE static void step(pass_type const& pass, typename base::slot_aggregation const& slots,
                                   score_geometry const& geo, Window const& own, tile_words<Index> const& words,
                                   Numbers const& numbers, char const* stage, state<Channels>& s) {
    int const q = static_cast<int>(threadIdx.x % 4);
    accumulators<2> product;
    accumulators<2> adjoint;
    if constexpr (base::has_dot) {
      clear<2>(product);
      multiply_rows<T, Channels>(product, own.dot, stage);
    }
    if constexpr (pulls) {
      clear<2>(adjoint);
      multiply_rows<T, Channels>(adjoint, own.value, stage + value_place<Channels>);
    }
    accumulators<2> weights;
    accumulators<2> of_product;
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) {
      auto const ok = slot_mask::of(words.bits[r], q);
      using made_type = std::conditional_t<base::has_dot, made_registers<float, adjoint_leaf, typename base::product>,
                                           made_registers<float, adjoint_leaf>>;
      made_type made;
      if constexpr (base::has_dot) take_slots<typename base::product>(made, product, r);
      if constexpr (pulls) {
        take_slots<adjoint_leaf>(made, adjoint, r);
      } else {
        fill(geo, slot_value<adjoint_leaf>(made), 0.0f);
      }
      with_slots<float>(geo, own.rows[r], numbers, made, r, [&](auto const& env) EDGEWISE_INLINE_LAMBDA {
        if constexpr (wants_value_rows) keep_weights(slots, env, ok, r, weights);
        if constexpr (pulls) pull<Channels>(pass, slots, env, numbers, ok, r, of_product, s);
      });
    }
    if constexpr (wants_value_rows) {
      add_weighted_rows<T, Channels>(s.value_rows, weights, stage + value_place<Channels>);
    }
    if constexpr (wants_dot_rows) add_weighted_rows<T, Channels>(s.dot_rows, of_product, stage);
  }

  /// The state of row r as the pass over rows has it.
  template <int Channels, class Geometry>
  EDGEWISE_DEVICE static void take_row(pass_type const& pass, Geometry const& geo, int r, state<Channels>& s,
                                       typename pass_type::template state<Geometry>& whole) {
    pass.start(geo, whole);
    if constexpr (wants_dot_rows) add_rows<Geometry>(s.dot_rows, r, slot_value<dot_side>(whole.rows));
    if constexpr (wants_value_rows) {
      add_rows<Geometry>(s.value_rows, r, slot_value<typename base::value_leaf>(whole.rows));
    }
    s.numbers[r].for_each([&](auto tag, auto const& sum) {
      slot_value<typename decltype(tag)::type::leaf>(whole.rows).at(0, 0, 0) = sum.at(0, 0, 0);
    });
    pass.complete_state(geo, whole);
  }

private:
  /// A gradient of one operand may come from both products.
  template <class Geometry, class Sum, int N>
  EDGEWISE_DEVICE static void add_rows(accumulators<N> const& from, int r, Sum& to) {
    EDGEWISE_UNROLL
    for (int c = 0; c < Geometry::max_chunks; ++c) {
      EDGEWISE_UNROLL
      for (int l = 0; l < 2; ++l) to.at(0, c, l) += from[c][2 * r + l];
    }
  }

  /// The factors of the rows of sources, which their gradient has of the output's.
  template <class Env>
  EDGEWISE_DEVICE static void keep_weights(typename base::slot_aggregation const& slots, Env const& env,
                                           slot_mask const& ok, int r, accumulators<2>& weights) {
    if constexpr (base::is_softmax) {
      auto const score = slots.score.trace(env).value;
      auto const factor = slots.value.trace(env).value;
      auto const p = map(
          env.geo, [](float x, softmax_normalizer<float> const& row) { return softmax_weight(x, row); }, score,
          env.template leaf_value<field_leaf<0, normalizer_field>>());
      EDGEWISE_UNROLL
      for (int b = 0; b < thread_slots; ++b) {
        bool const counts = ok[b] && p.at(b, 0, 0) != 0.0f;
        weights[b / 2][2 * r + b % 2] = counts ? p.at(b, 0, 0) * factor.at(b, 0, 0) : 0.0f;
      }
    } else {
      auto const factor = slots.message.trace(env).value;
      EDGEWISE_UNROLL
      for (int b = 0; b < thread_slots; ++b) weights[b / 2][2 * r + b % 2] = ok[b] ? factor.at(b, 0, 0) : 0.0f;
    }
  }

  /// Pulls the adjoints of a thread's slots in row r: numbers of rows are summed, those of edges stored, those of the
  /// inner product kept for tensor cores.
  template <int Channels, class Env, class Numbers>
  EDGEWISE_DEVICE static void pull(pass_type const& pass, typename base::slot_aggregation const& slots, Env const& env,
                                   Numbers const& numbers, slot_mask const& ok, int r, accumulators<2>& of_product,
                                   state<Channels>& s) {
    using product_target =
        std::conditional_t<wants_dot_rows, type_list<made_bound<typename base::product, float>>, type_list<>>;
    using sink_type = gradient_sink<score_geometry, float, thread_slots, row_numbers,
                                    concat_types<edge_numbers, product_target>, type_list<>, slot_mask>;
    typename sink_type::edge_sums edges;
    edges.clear(env.geo);
    typename sink_type::parameter_sums nothing;
    sink_type sink{s.numbers[r], edges, nothing, ok};
    if constexpr (base::is_softmax) {
      pull_softmax<0, adjoint_leaf>(slots, env, sink);
    } else if constexpr (sink_type::template wants<std::remove_cvref_t<decltype(slots.message)>>()) {
      // sum and mean hand on what they read of the destination.
      auto const record = slots.message.trace(env);
      slots.message.pull(env, record, env.template leaf_value<adjoint_leaf>(), sink);
    }
    if constexpr (wants_dot_rows) {
      auto const& x = slot_value<typename base::product>(edges);
      EDGEWISE_UNROLL
      for (int b = 0; b < thread_slots; ++b) of_product[b / 2][2 * r + b % 2] = ok[b] ? x.at(b, 0, 0) : 0.0f;
    }
    if constexpr (edge_numbers::size > 0) {
      edges.for_each([&](auto tag, auto const& sum) {
        using bound = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<typename bound::leaf, typename base::product>) {
          constexpr int stride = element_stride<typename bound::leaf>;
          auto const& to = pass.gradients.template of<bound>();
          store_edges<bound::kind, stride>(env.geo, to.data, to.row_stride, to.accumulate, numbers.ids[r], ok, sum);
        }
      });
    }
  }
};

}  // namespace edgewise::inline v0::detail
