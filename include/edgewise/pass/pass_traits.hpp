// What engines ask of the type of a pass before they give it rows.
#pragma once

#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/expression/component.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/pass_concept.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/layout.hpp>

namespace edgewise::inline v0::detail {

/// Operands of edges, each in memory as one tensor. A component of small vectors is none. For the bound leaves of a
/// program: what its passes read of edges besides, such as kept values, has such leaves, too.
template <class Bound>
struct is_edge_operand : std::bool_constant<Bound::leaf::role_of == role::edge && is_operand_bound<Bound>::value &&
                                            !is_component<typename Bound::leaf>> {};

/// Does a pass know its edges by the rows of such operands alone, so that it needs no ids where all of them lie in the
/// order of its rows? Table: the bound leaves of its program.
template <class Pass, class Table>
inline constexpr bool may_read_in_order = [] {
  constexpr bool knows_no_others = []<class... Needed>(type_list<Needed...>) {
    return sizeof...(Needed) > 0 && (contains_type<Needed, filter_types<is_edge_operand, Table>> && ...);
  }(typename Pass::tables::needed_edges{});
  return knows_no_others && Pass::tables::needed_relations::size == 0 && !Pass::needs_edge && !Pass::takes_positions;
}();

/// May a pass take rows in tiles of channels? Where heads and channels are one axis; of passes that read one number per
/// head those that form gradients, as of inner products, with one head and without a softmax, which each tile would
/// evaluate again; and of one head where tiles add up.
template <class Pass>
constexpr bool may_take_tiles(row_extents extents) {
  constexpr bool is_axis = Pass::need == layout_need::flat;
  constexpr bool reads_heads = forms_gradients<Pass> && Pass::need == layout_need::head_aware;
  constexpr bool takes_heads = (reads_heads && !any_softmax<typename Pass::aggregation_types>) || Pass::adds_up_tiles;
  return is_axis || (takes_heads && extents.heads == 1);
}
/// Elements of the tiles that a split or schedule of rows gives a pass.
template <class Pass, class Rows>
constexpr std::int64_t tile_of(Rows const& rows) {
  return Pass::adds_up_tiles ? rows.dot_tile : rows.tile;
}
/// Are rows wider than a tile?
constexpr bool takes_tiles(std::int64_t tile, row_extents extents) {
  return tile < std::int64_t{extents.heads} * extents.channels;
}

}  // namespace edgewise::inline v0::detail
