// Which layout a pass needs, found from its message and the kinds of its operands, and the layout of a row.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/program/unit.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::detail {

template <class Unit>
inline constexpr bool unit_sums_lanes = false;
template <class G, class M>
inline constexpr bool unit_sums_lanes<reduce_unit<G, M>> = has_lane_sum<M>;
template <class M>
inline constexpr bool unit_sums_lanes<edge_unit<M>> = has_lane_sum<M>;
template <class S, class V>
inline constexpr bool unit_sums_lanes<edge_softmax_unit<S, V>> = has_lane_sum<S> || has_lane_sum<V>;
template <class S>
inline constexpr bool unit_sums_lanes<normalizer_unit<S>> = has_lane_sum<S>;
template <class S, class V>
inline constexpr bool unit_sums_lanes<softmax_unit<S, V>> = has_lane_sum<S> || has_lane_sum<V>;

template <class Table>
struct table_kinds;
template <class... Bound>
struct table_kinds<type_list<Bound...>> {
  static constexpr bool any_per_head = ((Bound::kind == operand_kind::per_head) || ...);
  static constexpr bool any_per_lane = ((Bound::kind == operand_kind::per_lane) || ...);
  static constexpr bool any_per_row = ((Bound::kind == operand_kind::per_row) || ...);
  static constexpr bool any_wide = ((Bound::kind == operand_kind::wide) || ...);
};

/// Do the units of a program sum over lanes?
template <class Units>
inline constexpr bool units_sum_lanes = false;
template <class... Unit>
inline constexpr bool units_sum_lanes<type_list<Unit...>> = (unit_sums_lanes<Unit> || ...);

/// Does a pass that reads the leaves Read sum over lanes to pull adjoints through a unit? A softmax pulls a score
/// through an inner product. The adjoint of a message that is an inner product as a whole is a number already, so that
/// such a pass sums only where it reads the product itself.
template <class Unit, class Read>
inline constexpr bool pull_sums_lanes = unit_sums_lanes<Unit> || Unit::is_softmax;
template <class M, class Read>
requires is_lane_sum<M>::value inline constexpr bool pull_sums_lanes<edge_unit<M>, Read> =
    any_in_list<has_lane_sum_in, typename M::arguments>::value || are_read<typename value_leaves<M>::type, Read>;
template <class Units, class Read>
inline constexpr bool pulls_sum_lanes = false;
template <class... Unit, class Read>
inline constexpr bool pulls_sum_lanes<type_list<Unit...>, Read> = (pull_sums_lanes<Unit, Read> || ...);

/// Sums over all edges stay apart by head until they are folded (`elements_of_sum`), so that a parameter per lane asks
/// nothing of a layout.
template <class Bound>
struct sums_heads_at_once
    : std::bool_constant<Bound::leaf::role_of != role::parameter || Bound::kind != operand_kind::per_lane> {};
template <class Targets>
using laid_out_targets = filter_types<sums_heads_at_once, Targets>;

/// SumsLanes, SumsHeads: the pass takes sums over lanes, over heads, and goes on with them. Targets: gradients that it
/// forms; smaller ones need sums over a head, over heads or over the whole row. Those are only stored: rows too wide
/// for that may be cut and the parts added up (`cut_row_layout`).
template <bool SumsLanes, class Table, class Targets, bool SumsHeads = false>
consteval layout_need find_layout_need() {
  using kinds = table_kinds<Targets>;
  // A score without heads or lanes of its own is pulled through a sum over the whole row.
  bool const sums_lanes = SumsLanes || kinds::any_per_head;
  bool const sums_heads = SumsHeads || kinds::any_per_lane;
  if (kinds::any_per_row || (sums_heads && sums_lanes)) return layout_need::whole_rows;
  if (sums_lanes) return layout_need::whole_heads;
  if (sums_heads) return layout_need::all_heads;
  if (table_kinds<Table>::any_per_head || table_kinds<Table>::any_per_lane) return layout_need::head_aware;
  return layout_need::flat;
}

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int power_of_two_from(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

/// The layout of rows of heads x lanes on groups that hold `capacity` chunks of `chunk` lanes; `num_tiles` 0 when the
/// need cannot be met by such groups. `power_of_two`: the distance of heads in chunks is rounded up to a power of two,
/// which for one head may be more than a group holds.
constexpr row_layout make_row_layout(layout_need need, int heads, int lanes, int capacity, int chunk,
                                     bool power_of_two) {
  row_layout r;
  r.heads = need == layout_need::flat ? 1 : heads;
  r.lanes = need == layout_need::flat ? heads * lanes : lanes;
  int const chunks = ceil_div(r.lanes, chunk);
  r.chunks_per_head = power_of_two ? power_of_two_from(chunks) : chunks;
  r.lanes_per_tile = r.lanes;
  // What a group holds of each head; where it holds all heads at once, its share of the room. Several heads lie a power
  // of two of chunks apart.
  int const share = need == layout_need::all_heads ? capacity / r.heads : capacity;
  int const room = power_of_two && r.heads > 1 && share > 0 ? power_of_two_from(share / 2 + 1) : share;
  bool const fits = r.heads == 1 ? chunks <= room : r.chunks_per_head <= room;
  if (!fits) {  // one head is more than a group holds: cut it into equal parts
    if (room == 0 || need == layout_need::whole_heads || need == layout_need::whole_rows) {
      r.num_tiles = 0;
      return r;
    }
    r.lane_tiles = ceil_div(chunks, room);
    r.lanes_per_tile = ceil_div(ceil_div(r.lanes, r.lane_tiles), chunk) * chunk;
    r.lane_tiles = ceil_div(r.lanes, r.lanes_per_tile);
    r.chunks_per_head = power_of_two ? power_of_two_from(room) : room;
  }
  int const heads_that_fit = r.chunks_per_head < capacity ? capacity / r.chunks_per_head : 1;
  r.heads_per_tile = heads_that_fit < r.heads ? heads_that_fit : r.heads;
  r.num_tiles = ceil_div(r.heads, r.heads_per_tile) * r.lane_tiles;
  if (need == layout_need::whole_rows && r.num_tiles > 1) r.num_tiles = 0;
  return r;
}

/// The layout of rows that are cut although a gradient sums over them: tiles run one after the other and add up.
constexpr row_layout cut_row_layout(int heads, int lanes, int capacity, int chunk, bool power_of_two) {
  return make_row_layout(layout_need::head_aware, heads, lanes, capacity, chunk, power_of_two);
}

}  // namespace edgewise::detail
