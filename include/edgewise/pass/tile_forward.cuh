// The forward pass over tiles: numbers of slots by the program's own expressions, inner products and weighted sums on
// tensor cores, rows finished by the pass over rows.
#pragma once

#include <edgewise/core/scalar.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/tile_matrices.cuh>
#include <edgewise/pass/tile_slots.cuh>

namespace edgewise::inline v0::detail {

/// What tiles do for a pass over rows; `serves`: anything at all? Otherwise its rows are walked. Channels: those of a
/// row that a warp has registers for. Words: do rows move as words? One that serves has
/// - T: how rows are multiplied, which is as they are stored, or as tf32 where that is float,
/// - slot_aggregation, make(program): what threads evaluate of slots,
/// - tables, has_ids: the operands that slots read, and whether there are some of edges,
/// - needs_whole_heads, needs_whole_rows: does it go on with sums over the channels of a head, over a row?
/// - has_two_sums: does a window have two sums of rows?
/// - copied: the operands that are multiplied,
/// - copy<Channels, Words>(pass, part, column, stage): starts to copy rows of a tile's columns,
/// - stage_bytes<Channels>: what they take of shared memory,
/// - window<Channels, Index>: what a warp holds of its window, load<Words>(pass, geo, part, rows, live),
/// - state<Channels>: the sums of a window, start(s), step(pass, slots, geo, window, words, numbers, stage, s),
/// - take_row(pass, geo, r, s, whole): the state that the pass over rows would have of row g (r = 0) or g + 8.
template <class Pass>
struct tile_pass {
  static constexpr bool serves = false;
};

/// The largest of x over a quad.
EDGEWISE_DEVICE float largest_of_quad(float x) {
  x = ::fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return ::fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
EDGEWISE_DEVICE float sum_of_quad(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

/// The state of a sum over tiles, and of a softmax in it.
template <int Channels>
struct tile_sum {
  accumulators<Channels / 8> total;
};
template <int Channels>
struct tile_softmax : tile_sum<Channels> {
  float largest[2];
  float weight[2];  ///< of this thread's slots
};

/// What a program is over tiles.
template <class Program, class Table>
struct program_over_tiles {
  using aggregation = type_at<0, typename Program::aggregation_types>;
  using slots = decltype(make_tile_aggregation<Table>(std::declval<aggregation const&>()));
  using slot_aggregation = typename slots::aggregation_type;
  using slot_leaves = typename slot_aggregation::leaves;
  using value_leaf = typename slots::row;
  using value_bound = bound_for<value_leaf, Table>;
  using multiplied = typename multiplied_as<std::remove_const_t<typename value_bound::storage>>::type;
  using dots = typename tile_dots<aggregation, Table>::type;
  static constexpr bool has_dot = dots::size > 0;
  static constexpr bool is_softmax = aggregation::is_softmax;
  template <bool Has, class Dots>
  struct sides {
    using destination = value_leaf;  // stand in where there is none
    using source = value_leaf;
    using product = value_leaf;
  };
  template <class Dot>
  struct sides<true, type_list<Dot>> {
    using destination = typename tile_dot<Dot, Table>::destination;
    using source = typename tile_dot<Dot, Table>::source;
    using product = product_leaf<Dot>;
  };
  using dot_destination = typename sides<has_dot, dots>::destination;
  using dot_source = typename sides<has_dot, dots>::source;
  using product = typename sides<has_dot, dots>::product;

  static slot_aggregation make(Program const& program) {
    return make_tile_aggregation<Table>(get<0>(program.aggregations)).aggregation;
  }
};

template <class Program, class Table, class Offset, class Out, bool IsPerChannel>
requires(
    program_fits_tiles<Program, Table>) struct tile_pass<forward_pass<Program, Table, Offset, float, Out, IsPerChannel>>
    : program_over_tiles<Program, Table> {
  using base = program_over_tiles<Program, Table>;
  using pass_type = forward_pass<Program, Table, Offset, float, Out, IsPerChannel>;
  using T = typename base::multiplied;
  static constexpr bool serves = true;
  static constexpr bool needs_whole_heads = base::has_dot;
  static constexpr bool needs_whole_rows = false;
  static constexpr bool has_two_sums = false;
  using own_bound = bound_for<typename base::dot_destination, Table>;
  using first_bound = bound_for<typename base::dot_source, Table>;
  using second_bound = typename base::value_bound;
  using tables = slot_tables<pass_type, role::destination, typename base::slot_leaves>;
  static constexpr bool has_ids = tables::edges::size > 0;
  using copied =
      std::conditional_t<base::has_dot, type_list<own_bound, first_bound, second_bound>, type_list<second_bound>>;
  static constexpr bool copies_first = base::has_dot && !std::is_same_v<first_bound, second_bound>;

  template <int Channels>
  using state = std::conditional_t<base::is_softmax, tile_softmax<Channels>, tile_sum<Channels>>;

  /// What a warp holds of its window.
  template <int Channels, class Index>
  struct window {
    registers<score_geometry, float, 1, typename tables::fixed> rows[2];
    window_rows_fragment<T, Channels> own;

    template <bool Words>
    EDGEWISE_DEVICE void load(pass_type const& pass, score_geometry const& geo, tile_channels const& part,
                              Index const (&rows_of)[2], bool const (&live)[2]) {
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        Index const row[1] = {rows_of[r]};
        load_leaves(typename tables::fixed{}, geo, pass.operands, row, rows[r]);
      }
      if constexpr (base::has_dot) {
        own.template load<Words>(pass.operands.template of<own_bound>(), part, rows_of, live);
      }
    }
  };
  /// Starts to copy the rows of a tile's columns.
  template <int Channels, bool Words, class Index>
  EDGEWISE_DEVICE static void copy(pass_type const& pass, tile_channels const& part, Index column, char* stage) {
    if constexpr (copies_first) {
      copy_tile_rows<T, Channels, Words>(pass.operands.template of<first_bound>(), part, column, stage);
    }
    copy_tile_rows<T, Channels, Words>(pass.operands.template of<second_bound>(), part, column,
                                       stage + second_place<Channels>);
  }
  template <int Channels>
  static constexpr int second_place = copies_first ? tile_rows<T, Channels>::bytes : 0;
  template <int Channels>
  static constexpr int stage_bytes = second_place<Channels> + tile_rows<T, Channels>::bytes;

  template <int Channels>
  EDGEWISE_DEVICE static void start(state<Channels>& s) {
    clear<Channels / 8>(s.total);
    if constexpr (base::is_softmax) {
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        s.largest[r] = negative_infinity<float>();
        s.weight[r] = 0;
      }
    }
  }

  template <int Channels, class Window, class Index, class Numbers>
  EDGEWISE_DEVICE static void step(pass_type const&, typename base::slot_aggregation const& slots,
                                   score_geometry const& geo, Window const& own, tile_words<Index> const& words,
                                   Numbers const& numbers, char const* stage, state<Channels>& s) {
    int const q = static_cast<int>(threadIdx.x % 4);
    accumulators<2> product;
    if constexpr (base::has_dot) {
      clear<2>(product);
      multiply_rows<T, Channels>(product, own.own, stage);
    }
    using made_type =
        std::conditional_t<base::has_dot, made_registers<float, typename base::product>, made_registers<float>>;
    accumulators<2> weights;
    if constexpr (base::is_softmax) {
      accumulators<2> scores;
      float now[2];
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        auto const ok = slot_mask::of(words.bits[r], q);
        made_type made;
        if constexpr (base::has_dot) take_slots<typename base::product>(made, product, r);
        with_slots<float>(geo, own.rows[r], numbers, made, r, [&](auto const& env) EDGEWISE_INLINE_LAMBDA {
          auto const score = slots.score.trace(env).value;
          auto const factor = slots.value.trace(env).value;
          now[r] = negative_infinity<float>();
          EDGEWISE_UNROLL
          for (int b = 0; b < thread_slots; ++b) {
            float const x = ok[b] ? score.at(b, 0, 0) : negative_infinity<float>();
            scores[b / 2][2 * r + b % 2] = x;
            weights[b / 2][2 * r + b % 2] = factor.at(b, 0, 0);
            now[r] = larger_number(now[r], x);  // a NaN score makes its weight NaN below
          }
        });
        now[r] = largest_of_quad(now[r]);
      }
      if (__any_sync(0xffffffffu, now[0] > s.largest[0] || now[1] > s.largest[1])) rescale<Channels>(now, s);
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        // A row whose scores are all -inf keeps weight 0, and no (-inf) - (-inf) is formed.
        float const largest = s.largest[r] == negative_infinity<float>() ? 0.0f : s.largest[r];
        auto const ok = slot_mask::of(words.bits[r], q);
        EDGEWISE_UNROLL
        for (int b = 0; b < thread_slots; ++b) {
          float const p = fast_exp(scores[b / 2][2 * r + b % 2] - largest);  // exact differences of far scores
          s.weight[r] += p;
          float& weight = weights[b / 2][2 * r + b % 2];
          weight = ok[b] && p != 0.0f ? p * weight : 0.0f;
        }
      }
    } else {
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        auto const ok = slot_mask::of(words.bits[r], q);
        made_type made;
        if constexpr (base::has_dot) take_slots<typename base::product>(made, product, r);
        with_slots<float>(geo, own.rows[r], numbers, made, r, [&](auto const& env) EDGEWISE_INLINE_LAMBDA {
          auto const weight = slots.message.trace(env).value;
          EDGEWISE_UNROLL
          for (int b = 0; b < thread_slots; ++b) {
            weights[b / 2][2 * r + b % 2] = ok[b] ? weight.at(b, 0, 0) : 0.0f;
          }
        });
      }
    }
    add_weighted_rows<T, Channels>(s.total, weights, stage + second_place<Channels>);
  }

  /// The state of row r as the pass over rows has it.
  template <int Channels, class Geometry>
  EDGEWISE_DEVICE static void take_row(pass_type const&, Geometry const& geo, int r, state<Channels> const& s,
                                       typename pass_type::template state<Geometry>& whole) {
    auto& aggregation = get<0>(whole.aggregations);
    EDGEWISE_UNROLL
    for (int c = 0; c < Geometry::max_chunks; ++c) {
      EDGEWISE_UNROLL
      for (int l = 0; l < 2; ++l) {
        if constexpr (base::is_softmax) {
          aggregation.total.at(0, c, l) = s.total[c][2 * r + l];
        } else {
          aggregation.content.at(0, c, l).total = s.total[c][2 * r + l];
        }
      }
    }
    if constexpr (base::is_softmax) {
      float const weight = sum_of_quad(s.weight[r]);
      fill(geo, aggregation.weights.largest, s.largest[r]);
      fill(geo, aggregation.weights.weight, weight);
    }
  }

private:
  /// Makes the larger of `now` and the largest scores so far what sums are relative to.
  template <int Channels>
  EDGEWISE_DEVICE static void rescale(float const (&now)[2], state<Channels>& s) {
    float factor[2];
    EDGEWISE_UNROLL
    for (int r = 0; r < 2; ++r) {
      float const largest = larger_number(now[r], s.largest[r]);
      factor[r] = s.largest[r] == negative_infinity<float>() ? 1.0f : fast_exp(s.largest[r] - largest);
      s.largest[r] = largest;
      s.weight[r] *= factor[r];
    }
    EDGEWISE_UNROLL
    for (int n = 0; n < Channels / 8; ++n) {
      EDGEWISE_UNROLL
      for (int i = 0; i < 4; ++i) s.total[n][i] *= factor[i / 2];
    }
  }
};

}  // namespace edgewise::inline v0::detail
