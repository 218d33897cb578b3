// Which layout a pass needs, found from its message and the kinds of its operands, and the layout of a row.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/edge_program.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::inline v0::detail {

template <class Aggregation>
inline constexpr bool aggregation_sums_channels = false;
template <class G, class M>
inline constexpr bool aggregation_sums_channels<reduce_aggregation<G, M>> = has_channel_sum<M>;
template <class M>
inline constexpr bool aggregation_sums_channels<edge_aggregation<M>> = has_channel_sum<M>;
template <class S, class V>
inline constexpr bool aggregation_sums_channels<edge_softmax_aggregation<S, V>> =
    has_channel_sum<S> || has_channel_sum<V>;
template <class S>
inline constexpr bool aggregation_sums_channels<normalizer_aggregation<S>> = has_channel_sum<S>;
template <class S, class V>
inline constexpr bool aggregation_sums_channels<softmax_aggregation<S, V>> = has_channel_sum<S> || has_channel_sum<V>;

template <class Table>
struct table_kinds;
template <class... Bound>
struct table_kinds<type_list<Bound...>> {
  static constexpr bool any_per_head = ((Bound::kind == operand_kind::per_head) || ...);
  static constexpr bool any_per_channel = ((Bound::kind == operand_kind::per_channel) || ...);
  static constexpr bool any_per_row = ((Bound::kind == operand_kind::per_row) || ...);
  static constexpr bool any_wide = ((Bound::kind == operand_kind::wide) || ...);
};

/// Do the aggregations of a program sum over channels?
template <class Aggregations>
inline constexpr bool any_aggregation_sums_channels = false;
template <class... Aggregation>
inline constexpr bool any_aggregation_sums_channels<type_list<Aggregation...>> =
    (aggregation_sums_channels<Aggregation> || ...);

/// Does a pass that reads the leaves Read sum over channels to pull adjoints through an aggregation? A softmax pulls a
/// score through an inner product. The adjoint of a message that is an inner product as a whole is a number already, so
/// that such a pass sums only where it reads the product itself.
template <class Aggregation, class Read>
inline constexpr bool pull_sums_channels = aggregation_sums_channels<Aggregation> || Aggregation::is_softmax;
template <class M, class Read>
requires is_channel_sum<M>::value inline constexpr bool pull_sums_channels<edge_aggregation<M>, Read> =
    any_in_list<has_channel_sum_in, typename M::arguments>::value || are_read<typename value_leaves<M>::type, Read>;
/// What was handed over is summed already; a sum that a derivative reads is taken again.
template <class S, class V, class Read>
inline constexpr bool pull_sums_channels<handed_softmax<S, V>, Read> = has_channel_sum<V> ||
                                                                       (has_channel_sum<S> &&
                                                                        are_read<typename value_leaves<S>::type, Read>);
template <class Aggregations, class Read>
inline constexpr bool any_pull_sums_channels = false;
template <class... Aggregation, class Read>
inline constexpr bool any_pull_sums_channels<type_list<Aggregation...>, Read> =
    (pull_sums_channels<Aggregation, Read> || ...);

/// Sums over all edges stay apart by head until they are folded (`elements_of_sum`), so that a parameter per channel
/// asks nothing of a layout.
template <class Bound>
struct sums_heads_at_once
    : std::bool_constant<Bound::leaf::role_of != role::parameter || Bound::kind != operand_kind::per_channel> {};
template <class Targets>
using laid_out_targets = filter_types<sums_heads_at_once, Targets>;

/// SumsChannels, SumsHeads: the pass takes sums over channels, over heads, and goes on with them. Targets: gradients
/// that it forms; smaller ones need sums over a head, over heads or over the whole row. Those are only stored: rows too
/// wide for that may be cut and the parts added up (`cut_row_layout`).
template <bool SumsChannels, class Table, class Targets, bool SumsHeads = false>
consteval layout_need find_layout_need() {
  using kinds = table_kinds<Targets>;
  // A score without heads or channels of its own is pulled through a sum over the whole row.
  bool const sums_channels = SumsChannels || kinds::any_per_head;
  bool const sums_heads = SumsHeads || kinds::any_per_channel;
  if (kinds::any_per_row || (sums_heads && sums_channels)) return layout_need::whole_rows;
  if (sums_channels) return layout_need::whole_heads;
  if (sums_heads) return layout_need::all_heads;
  if (table_kinds<Table>::any_per_head || table_kinds<Table>::any_per_channel) return layout_need::head_aware;
  return layout_need::flat;
}

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int power_of_two_from(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

/// The layout of rows of heads x channels on groups that hold `capacity` chunks of `chunk` channels; `num_tiles` 0 when
/// the need cannot be met by such groups. `power_of_two`: the distance of heads in chunks is rounded up to a power of
/// two, which for one head may be more than a group holds.
constexpr row_layout make_row_layout(layout_need need, int heads, int channels, int capacity, int chunk,
                                     bool power_of_two) {
  row_layout r;
  r.heads = need == layout_need::flat ? 1 : heads;
  r.channels = need == layout_need::flat ? heads * channels : channels;
  int const chunks = ceil_div(r.channels, chunk);
  r.chunks_per_head = power_of_two ? power_of_two_from(chunks) : chunks;
  r.channels_per_tile = r.channels;
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
    r.channel_tiles = ceil_div(chunks, room);
    r.channels_per_tile = ceil_div(ceil_div(r.channels, r.channel_tiles), chunk) * chunk;
    r.channel_tiles = ceil_div(r.channels, r.channels_per_tile);
    r.chunks_per_head = power_of_two ? power_of_two_from(room) : room;
  }
  int const heads_that_fit = r.chunks_per_head < capacity ? capacity / r.chunks_per_head : 1;
  r.heads_per_tile = heads_that_fit < r.heads ? heads_that_fit : r.heads;
  r.num_tiles = ceil_div(r.heads, r.heads_per_tile) * r.channel_tiles;
  if (need == layout_need::whole_rows && r.num_tiles > 1) r.num_tiles = 0;
  return r;
}

/// The layout of rows that are cut although a gradient sums over them: tiles run one after the other and add up.
constexpr row_layout cut_row_layout(int heads, int channels, int capacity, int chunk, bool power_of_two) {
  return make_row_layout(layout_need::head_aware, heads, channels, capacity, chunk, power_of_two);
}

}  // namespace edgewise::inline v0::detail
