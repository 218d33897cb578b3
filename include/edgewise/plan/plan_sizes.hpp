// What the passes of a program keep of a row, and what the schedules of a plan are chosen for.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/tiled_storage.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/tile_program.hpp>

namespace edgewise::inline v0::detail {

/// Bytes of partial states of a row, and of all that backward prepares.
struct state_bytes {
  std::int64_t forward_slot = 0;
  std::int64_t destination_slot = 0;
  std::int64_t source_slot = 0;
  std::int64_t type_slot = 0;
  std::int64_t prepared = 0;
};

/// Traits, Table and ForwardPass: of the plan's program, with the output stored as accumulated.
template <class Traits, class Table, class ForwardPass>
struct plan_sizes {
  using accumulator = typename Traits::accumulator;

  static state_bytes row_bytes(graph_counts counts, row_extents extents) {
    auto const bytes_of = [&](auto bounds) { return sums_bytes<accumulator>(bounds, extents); };
    return {
        .forward_slot = slot_bytes<ForwardPass>(extents, slot_tiles::most(extents)),
        .destination_slot = bytes_of(bound_in_role<role::destination, Table>{}),
        .source_slot = bytes_of(bound_in_role<role::source, Table>{}),
        .type_slot = bytes_of(bound_in_role<role::relation, Table>{}),
        .prepared = static_cast<std::int64_t>(
            Traits::prepared_elements(static_cast<std::size_t>(counts.destinations), extents) * sizeof(accumulator))};
  }

  /// Slots that take the memory of an output, with their counters and what lies before them: as many as a quarter of
  /// the rows, at least. Backward by source reads the output's gradient beside the operands of destinations.
  /// groups: of the forward pass.
  static workloads workloads_for(graph_counts counts, row_extents extents, group_kinds groups) {
    constexpr auto element_bytes = static_cast<std::int64_t>(sizeof(accumulator));
    state_bytes const bytes = row_bytes(counts, extents);
    std::int64_t const out_bytes = size_of_array(counts.destinations, Traits::out_elements(extents), element_bytes);
    std::int64_t const part_elements = Traits::part_elements(extents);
    std::int64_t const counter_bytes = most_tiles(extents) * static_cast<std::int64_t>(sizeof(std::uint32_t));
    auto const slots = [&](std::int64_t rows, std::int64_t slot_bytes, std::int64_t bytes_before) {
      std::int64_t const room = out_bytes - bytes_before;
      std::int64_t const most = slot_bytes > 0 ? room / (slot_bytes + counter_bytes) : rows;
      return most > rows / 4 ? most : rows / 4;
    };
    std::int64_t const forward = slots(counts.destinations, bytes.forward_slot, 0);
    std::int64_t const backward = slots(counts.destinations, bytes.destination_slot, bytes.prepared);
    auto const tile_bytes = [&](auto bounds) { return bytes_of_tile(bounds, extents); };
    using edge_table = bound_in_role<role::edge, Table>;
    constexpr bool multiplies_rows = any_aggregation_sums_channels<typename Traits::program_type::aggregation_types>;
    constexpr bool is_flat = ForwardPass::need == layout_need::flat;
    workload const both{.tile_elements = is_flat ? elements_of_tile(part_elements) : 0,
                        .narrow_tile = any_float16<Table> ? 2 * least_tile : least_tile,
                        .has_edge_operands = edge_table::size > 0,
                        .reads_edges_by_id = edge_table::size > 0 || bound_in_role<role::relation, Table>::size > 0,
                        .has_channel_sums = filter_types<is_wide_bound, Table>::size < Table::size,
                        .groups = groups,
                        .edge_bytes = counts.edges * bytes_within_sectors(edge_table{}, extents),
                        .storage_of_tiles = multiplies_rows && extents.channels > most_tile_channels
                                                ? tiled_storage::none
                                                : storage_over_tiles<typename Traits::program_type, Table>(),
                        .head_channels = is_flat ? part_elements : extents.channels,
                        .has_products = multiplies_rows};
    workloads work{both, both};
    work.by_destination.neighbor_bytes = counts.sources * tile_bytes(bound_in_role<role::source, Table>{});
    work.by_destination.most_slots = forward < backward ? forward : backward;
    std::int64_t const adjoint_bytes = Traits::num_parts * elements_of_tile(part_elements) * element_bytes;
    work.by_source.neighbor_bytes =
        counts.destinations * (tile_bytes(bound_in_role<role::destination, Table>{}) + adjoint_bytes);
    work.by_source.most_slots = slots(counts.sources, bytes.source_slot, bytes.prepared);
    return work;
  }
};

}  // namespace edgewise::inline v0::detail
