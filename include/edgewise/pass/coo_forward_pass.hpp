// The forward pass over ungrouped edges: evaluate a block of messages, combine each with its destination's row.
#pragma once

#include <edgewise/pass/coo_walk.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/pass/scatter_add.hpp>
#include <edgewise/pass/scatter_word.hpp>

namespace edgewise::inline v0::detail {

/// The atomic form of an aggregation.
template <class Aggregation>
inline constexpr scatter_form aggregation_scatter_form = scatter_form::none;
template <class Gather, class Message>
inline constexpr scatter_form aggregation_scatter_form<reduce_aggregation<Gather, Message>> = scatter_form_of<Gather>;
template <class Score, class Value>
inline constexpr scatter_form aggregation_scatter_form<softmax_aggregation<Score, Value>> = scatter_form::softmax;

template <class Program>
using only_aggregation = std::remove_cvref_t<decltype(get<0>(std::declval<Program const&>().aggregations))>;

/// The gather that folds the messages of a run as its atomic form does.
template <scatter_form Form>
using extremum_of = extremum<Form == scatter_form::largest ? 1 : -1>;

/// What a thread holds of a run of edges with one destination: sums, or the best messages and their positions.
template <scatter_form Form, class Message>
struct type_of_run {
  using type = register_value<typename extremum_of<Form>::template state<typename Message::scalar, std::int32_t>,
                              Message::extent_of, 1, Message::geometry_chunks, Message::geometry_channels>;
};
template <class Message>
struct type_of_run<scatter_form::add, Message> {
  using type = Message;
};
template <class Message>
struct type_of_run<scatter_form::none, Message> {
  using type = Message;
};

/// Sums go to `out`, which was cleared before; extrema to `words`, [destinations, row elements], cleared too.
template <class Program, class Table, class Accumulator, class Out>
struct coo_forward_pass : coo_pass {
  using accumulator = Accumulator;
  using tables = coo_tables<Table, typename Program::leaves>;
  using loads = tables;
  using held =
      hoisted_expressions<typename roots_of_aggregations<typename Program::aggregation_types>::type, role::parameter>;
  template <class Geometry>
  using launch_leaves = typename Program::leaves;
  template <class Geometry>
  using launch_hoisted = typename held::template of<duration::launch>;
  using block_hoisted = typename held::template of<duration::block>;
  static constexpr bool scatters_to_destinations = true;
  static constexpr scatter_form form = aggregation_scatter_form<only_aggregation<Program>>;
  static constexpr bool sums_inside = any_aggregation_sums_channels<typename Program::aggregation_types>;
  static constexpr layout_need need = find_layout_need<sums_inside, Table, type_list<>>();

  Program program;
  operand_pointers<Table> operands;
  Out* out;
  std::int64_t out_row_stride;
  extremum_word* words;

  template <class Geometry>
  using message_value = std::remove_cvref_t<
      decltype(get<0>(std::declval<Program const&>().aggregations)
                   .message.trace(std::declval<typename pass_registers<coo_forward_pass, Geometry, 1>::env const&>())
                   .value)>;

  template <class Geometry>
  using run_value = typename type_of_run<form, message_value<Geometry>>::type;

  /// What a run of edges with one destination comes to: edges in the order of their destinations cost one access to
  /// memory per run, edges in any other order one each.
  template <class Geometry>
  struct state {
    run_value<Geometry> total;
    std::int64_t row = -1;  ///< of the run; -1 before the first edge
    bool is_alone = true;   ///< has the run one edge?
  };

  /// Called after the last edge of a group: what is left of its last run goes to memory.
  template <class Env, class State>
  EDGEWISE_HD void finish_launch(Env const& launch, bool, State& s) const {
    if constexpr (form != scatter_form::none) leave_run(launch.geo, s);
  }

  template <int Edges, class Env, class Index, class Offset, class State>
  EDGEWISE_HD void step(Env const& env, edge_block<Edges, Index, Offset> const& block, State& s) const {
    hold(block_hoisted{}, program, env, [&](auto const& messages) {
      auto const message = get<0>(program.aggregations).message.trace(messages).value;
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        if (block.ok[b]) combine<Edges>(env.geo, block, message, b, s);
      }
    });
  }

private:
  template <int Edges, class Geometry, class Index, class Offset, class V>
  EDGEWISE_HD void combine(Geometry const& geo, edge_block<Edges, Index, Offset> const& block, V const& message, int b,
                           state<Geometry>& s) const {
    if constexpr (form != scatter_form::none) {
      auto const row = static_cast<std::int64_t>(block.destinations[b]);
      bool const begins = row != s.row;
      if (begins) leave_run(geo, s);
      s.row = row;
      s.is_alone = begins;
      for_each_entry<message_value<Geometry>>(geo, [&](int, int c, int l) {
        auto& total = s.total.at(0, c, l);
        auto const x = message.at(b, c, l);
        if constexpr (form == scatter_form::add) {
          total = begins ? x : total + x;
        } else {
          auto const position = static_cast<std::int32_t>(block.positions[b]);
          if (begins) total.argument = -1;
          extremum_of<form>::fold(total, x, position);
        }
      });
    }
  }
  template <class Geometry>
  EDGEWISE_HD void leave_run(Geometry const& geo, state<Geometry> const& s) const {
    constexpr operand_kind kind = kind_of_extent(message_value<Geometry>::extent_of);
    if (s.row < 0) return;
    if constexpr (form == scatter_form::add) {
      scatter_add_row<kind, false>(geo, out, out_row_stride, s.row, s.total, 0);
    } else {
      keep_extrema<kind>(geo, words + s.row * row_elements(kind, geo), s.total, s.is_alone);
    }
  }

  /// Runs of one edge tell of edges in any order, most of which are not the best of their row so far.
  template <operand_kind Kind, class Geometry, class V>
  EDGEWISE_HD void keep_extrema(Geometry const& geo, extremum_word* to, V const& total, bool looks_first) const {
    auto const word = [&](int c, int l) {
      auto const& best = total.at(0, c, l);
      return extremum_code<form>::encode(best.best, static_cast<std::uint32_t>(best.argument));
    };
    if constexpr (Kind == operand_kind::per_row) {
      if (geo.leads_row()) keep_larger(to, word(0, 0), looks_first);
    } else {
      EDGEWISE_UNROLL
      for (int c = 0; c < geo.chunks(); ++c) {
        if constexpr (Kind == operand_kind::per_head) {
          if (geo.leads_head(c)) keep_larger(to + geo.head(c), word(c, 0), looks_first);
        } else {
          int const valid = geo.valid_channels(c);
          EDGEWISE_UNROLL
          for (int l = 0; l < Geometry::channels_per_chunk; ++l) {
            if (l < valid) keep_larger(to + geo.offset(c) + l, word(c, l), looks_first);
          }
        }
      }
    }
  }
};

/// Turns the words of extrema into values and, where they are kept, arguments: element by element.
template <scatter_form Form, class Offset, class Out>
struct finish_extrema {
  extremum_word const* words;  ///< [rows, row_size]
  Offset const* edge_ids;      ///< of positions; null where they are the positions
  Out* out;                    ///< rows `out_row_stride` apart
  Offset* arguments;           ///< [rows, row_size] edge ids, -1 for empty rows; may be null
  std::int64_t row_size;
  std::int64_t out_row_stride;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    using code = extremum_code<Form>;
    extremum_word const word = words[i];
    std::int64_t const row = i / row_size;
    out[row * out_row_stride + (i - row * row_size)] = static_cast<Out>(code::value(word));
    if (arguments) {
      std::uint32_t const position = code::position(word);
      arguments[i] = word == 0 ? Offset(-1) : (edge_ids ? edge_ids[position] : static_cast<Offset>(position));
    }
  }
};

}  // namespace edgewise::inline v0::detail
