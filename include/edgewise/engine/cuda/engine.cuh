// The CUDA engine: chooses a geometry for a row's run-time extents and launches the traversal.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/device_site.cuh>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/cuda/argument_engine.cuh>
#include <edgewise/engine/cuda/coo_engine.cuh>
#include <edgewise/engine/cuda/fold_parameters.cuh>
#include <edgewise/engine/cuda/geometries.hpp>
#include <edgewise/engine/cuda/multiply.cuh>
#include <edgewise/engine/cuda/multiply_by_type.cuh>
#include <edgewise/engine/cuda/order_rows.cuh>
#include <edgewise/engine/cuda/pass_kernel.cuh>
#include <edgewise/engine/cuda/round_rows.cuh>
#include <edgewise/engine/cuda/tile_engine.cuh>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/format/hash_edges.cuh>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/schedule/device_schedule.cuh>
#include <edgewise/schedule/read_degrees.cuh>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

template <>
struct engine<cuda> {
  using site = device_site;
  template <class Split, class Index, class Offset>
  using schedule = device_schedule<Split, Index, Offset>;
  static constexpr std::int64_t num_partials(std::int64_t rows, std::int64_t edges) {
    return most_parameter_blocks(rows, edges);
  }
  template <class>
  static constexpr std::int64_t staged_bytes(cuda const&, std::int64_t, std::int64_t, std::int64_t) {
    return 0;
  }

  static memory_resource* memory(cuda const& exec) { return exec.memory ? exec.memory : device_memory(); }
  static void clear(cuda const& exec, void* data, std::size_t bytes) {
    check_cuda(cudaMemsetAsync(data, 0, bytes, exec.stream), "plan: clear workspace");
  }
  template <class Split, class Index, class Offset>
  static schedule<Split, Index, Offset> make_schedule(cuda const& exec, Split split,
                                                      grouping_view<Index, Offset> const& grouping, sizing size,
                                                      std::int64_t most_slots, std::int64_t num_pieces) {
    return {exec.stream, memory(exec), split, grouping, size, most_slots, num_pieces};
  }
  template <bool ReadsTf32, class Rows>
  static auto make_schedule(cuda const& exec, basic_tile_split<ReadsTf32> split, wsb_view<Rows> const& grouping,
                            sizing size, std::int64_t most_slots, std::int64_t) {
    using type = schedule<basic_tile_split<ReadsTf32>, typename Rows::index_type, typename Rows::offset_type>;
    return type(exec.stream, memory(exec), split, grouping, size, most_slots);
  }
  static constexpr bool cuts_rows = true;
  /// Multiprocessors of the current device.
  static int multiprocessors() {
    int device = 0;
    int count = 0;
    check_cuda(cudaGetDevice(&device), "launch: which device");
    check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "launch: multiprocessors");
    return count;
  }
  /// Bytes of the level-2 cache.
  static std::int64_t cache_bytes() {
    int device = 0;
    int bytes = 0;
    check_cuda(cudaGetDevice(&device), "plan: which device");
    check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "plan: size of the cache");
    return bytes;
  }
  /// Reads the degrees of groupings. Waits for the stream.
  template <std::size_t N, class Index, class Offset>
  static std::array<degree_histogram, N> read_degrees(
      cuda const& exec, std::array<described_grouping<Index, Offset>, N> const& groupings) {
    return detail::read_degrees(exec.stream, memory(exec), groupings);
  }
  /// Sums hashes over the edges of both groupings. Waits for the stream.
  template <class Index, class Offset>
  static std::array<std::uint64_t, 2> sum_edge_hashes(cuda const& exec, csr_view<Index, Offset> const& csr,
                                                      csc_view<Index, Offset> const& csc, edge_identity identity) {
    return detail::sum_edge_hashes(exec.stream, memory(exec), csr, csc, identity, multiprocessors());
  }
  template <class Split, class Index, class Offset>
  static void rebuild(cuda const& exec, device_schedule<Split, Index, Offset>& schedule,
                      grouping_view<Index, Offset> const& grouping) {
    schedule.rebuild(exec.stream, grouping);
  }

  template <class Pass, class Extents>
  static group_kinds groups_of(row_extents extents, int chunk) {
    group_kinds kinds;
    choose_geometry<Pass, Extents>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      if (Geometry::group_size <= 2) kinds.narrow = Geometry::group_size;
      return true;
    });
    if constexpr (has_half_groups<Pass, Extents>) {
      kinds.half = find_half_group(Pass::need, extents, chunk, chunk_of_pass<Pass>);
      constexpr row_extents tile{.heads = 1, .channels = static_cast<int>(least_tile)};
      if (Pass::need == layout_need::flat) {
        kinds.half_of_tile = find_half_group(Pass::need, tile, chunk, chunk_of_pass<Pass>);
      }
      kinds.has_softmax = any_softmax<typename Pass::aggregation_types>;
    }
    return kinds;
  }

  /// Throws `invalid_argument` where no group holds what the pass has to sum over.
  template <class Pass, class Extents = any_extents>
  static void check_width(row_extents extents, int chunk) {
    bool const fits = choose_geometry<Pass, Extents>(extents, chunk, [&]<class Geometry>(type_tag<Geometry>) {
      return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
    });
    if (!fits) throw_row_too_wide(Pass::need, extents, widest_group);
  }

  /// Runs a pass over rows that `check_width` lets pass.
  template <class Extents = any_extents, class Pass, class Split, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping,
                  device_schedule<Split, Index, Offset> const& schedule, row_extents extents, int chunk,
                  workspace_view const& workspace) {
    if (grouping.num_rows == 0) {  // nothing to walk, and operands without rows may be null
      if constexpr (Pass::has_parameter_targets) fold_parameters(exec.stream, pass, extents, nullptr, 0);
      return;
    }
    constexpr bool has_tiles = std::is_same_v<Split, row_split> && Pass::walks_edges && !is_static_extents<Extents>;
    launch_context<has_tiles, Pass, Split, Index, Offset> c{exec, pass, grouping, schedule, extents, workspace};
    row_extents grouped = extents;  // what a group takes at a time
    if constexpr (has_tiles) {
      std::int64_t const tile = tile_of<Pass>(schedule);
      c.is_tiled = chunk >= 4 && may_take_tiles<Pass>(extents) && takes_tiles(tile, extents);
      if (c.is_tiled) grouped = {.heads = 1, .channels = static_cast<int>(tile)};
    }
    pass_kernel<Pass, Split, Index, Offset> kernel{};
    bool is_chosen = false;
    auto const choose = [&kernel]<class Geometry>(type_tag<Geometry>) {
      kernel = kernel_of<Geometry, has_tiles, Pass, Split, Index, Offset>();
      return true;
    };
    if constexpr (std::is_same_v<Split, row_split> && may_halve_groups<Pass, Extents>) {
      bool const folds_well = schedule.num_slots == 0 || !folds_slowly<Pass>(extents, grouped);
      bool const halves = schedule.threads == group_threads::half && !(Pass::adds_up_tiles && c.is_tiled);
      is_chosen = halves && folds_well && choose_half_geometry<Pass>(grouped, chunk, choose);
    }
    if constexpr (may_score_by_thread<Pass>) {
      if (!is_chosen) {
        int const group = choose_thread_score_group<Pass>(grouping, grouped, chunk);
        is_chosen = choose_thread_score_geometry<Pass, Extents>(group, choose);
      }
    }
    if (!is_chosen) choose_geometry<Pass, Extents>(grouped, chunk, choose);
    launch(c, kernel);
  }

  template <class Pass, bool ReadsTf32, class Index, class Offset>
  static bool walks_tiles(device_schedule<basic_tile_split<ReadsTf32>, Index, Offset> const& schedule) {
    return tiles_serve<Pass, ReadsTf32> && schedule.has_tiles();
  }
  /// The same over tiles, as far as they serve.
  template <class Extents = any_extents, class Pass, class Rows, bool ReadsTf32, class Index, class Offset>
  static void run(cuda const& exec, Pass const& pass, wsb_view<Rows> const& graph,
                  device_schedule<basic_tile_split<ReadsTf32>, Index, Offset> const& schedule, row_extents extents,
                  int chunk, workspace_view const& workspace) {
    tile_engine<engine>::template run<Extents>(exec, pass, graph, schedule, extents, chunk, workspace);
  }

  template <class... Argument>
  static void order_rows(cuda const& exec, Argument const&... arguments) {
    detail::order_rows(exec, arguments...);
  }

  static std::int64_t product_partials(std::int64_t rows, std::int64_t columns, std::int64_t terms) {
    return detail::product_partials(rows, columns, terms);
  }
  static std::int64_t most_product_partials(std::int64_t rows, std::int64_t columns) {
    return detail::most_product_partials(rows, columns);
  }
  template <class T, class A, class B, class C>
  static void multiply(cuda const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c,
                       bool adds, T* partials) {
    detail::multiply<T>(exec, a, b, c, adds, partials);
  }
  static std::int64_t typed_product_partials(std::int64_t num_types, std::int64_t inputs, std::int64_t outputs) {
    return detail::typed_product_partials(num_types, inputs, outputs);
  }
  template <class T, class... Argument>
  static void multiply_by_type(cuda const& exec, Argument const&... arguments) {
    detail::multiply_by_type<T>(exec, arguments...);
  }
  template <class T, class... Argument>
  static void sum_by_type(cuda const& exec, Argument const&... arguments) {
    detail::sum_by_type<T>(exec, arguments...);
  }

  static constexpr bool has_tensor_cores = true;
  template <class T>
  static void round_rows(cuda const& exec, float const* from, T* to, std::int64_t size) {
    detail::round_rows(exec, from, to, size);
  }

private:
  /// The group whose threads take a score each, 0 where each thread computes those of its chunks.
  template <class Pass, class Index, class Offset>
  static int choose_thread_score_group(grouping_view<Index, Offset> const& grouping, row_extents extents, int chunk) {
    int const group =
        find_thread_score_group(Pass::need, Pass::has_scores_by_head, extents, chunk, chunk_of_pass<Pass>);
    if (group == 0) return 0;
    auto const rows = static_cast<double>(grouping.num_rows);
    std::int64_t const whole = std::int64_t{extents.heads} * extents.channels;
    std::int64_t const held = std::int64_t{group} * chunk_of_pass<Pass>;  // wider rows go tile by tile
    std::int64_t const bytes = std::int64_t{grouping.num_neighbors} * (whole < held ? whole : held) *
                               static_cast<std::int64_t>(sizeof(typename Pass::accumulator));
    return pays_to_score_by_thread(group, static_cast<double>(grouping.num_edges) / rows, bytes, cache_bytes()) ? group
                                                                                                                : 0;
  }

  /// Should all tiles of a row be taken before those of the next one? Where few edges read a neighbor, and a tile of
  /// the neighbors is many times the cache, which then keeps little of it (docs/tuning.md, R59).
  template <class Pass, class Index, class Offset>
  static bool takes_tiles_together(grouping_view<Index, Offset> const& grouping, row_extents extents, int tiles) {
    std::int64_t const neighbors = grouping.num_neighbors;
    if (tiles < 2 || grouping.num_edges > 4 * neighbors) return false;
    return neighbors * bytes_of_all(typename Pass::tables::needed_others{}, extents) / tiles > 8 * cache_bytes();
  }
  template <class... Bound>
  static std::int64_t bytes_of_all(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
    return (std::int64_t{0} + ... +
            (elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage))));
  }

  template <bool HasTiles, class Pass, class Split, class Index, class Offset>
  struct launch_context {
    cuda const& exec;
    Pass const& pass;
    grouping_view<Index, Offset> const& grouping;
    device_schedule<Split, Index, Offset> const& schedule;
    row_extents extents;
    workspace_view const& workspace;
    bool is_tiled = false;
  };

  /// One function for all geometries of a pass: what differs between them is in `kernel`.
  template <bool HasTiles, class Pass, class Split, class Index, class Offset>
  static void launch(launch_context<HasTiles, Pass, Split, Index, Offset> const& c,
                     pass_kernel<Pass, Split, Index, Offset> const& kernel) {
    using view = schedule_view_of<Pass, Split, Index, Offset>;
    constexpr bool by_shares = std::is_same_v<view, edge_split_view<Index>>;
    constexpr bool from_queue = std::is_same_v<view, dynamic_rows_view<Index, Offset>>;
    bool const adds_dot_tiles = kernel.start_adding != nullptr && c.is_tiled;
    tiled_rows const rows = adds_dot_tiles
                                ? cut_on_device(c.extents, kernel.capacity_chunks, kernel.channels_per_chunk)
                                : lay_out<Pass>(c.extents, kernel.capacity_chunks, kernel.channels_per_chunk, true);
    pass_traversal<Pass, Split, Index, Offset> t{};
    t.pass = c.pass;
    t.grouping = c.grouping;
    t.layout = rows.layout;
    t.takes_tiles_together = takes_tiles_together<Pass>(c.grouping, c.extents, rows.layout.num_tiles);
    t.sub_groups = 1;
    if constexpr (Pass::walks_edges && !by_shares) {
      if (kernel.shares_rows)
        t.sub_groups = c.schedule.choose_sub_groups(kernel.group_size, kernel.edges_in_flight, workload_of(c.grouping));
    }
    t.slots = c.workspace.slots;
    t.slot_bytes = slot_bytes<Pass>(c.extents, slot_tiles::of(rows.layout));
    t.arrivals = c.workspace.arrivals;
    t.partials = c.workspace.partials;
    t.partial_bytes = partial_bytes<Pass>(c.extents);
    int threads = kernel.threads;
    if constexpr (!by_shares && !from_queue) {
      if (kernel.chooses_block)
        threads = c.schedule.choose_block_threads(kernel.group_size, kernel.blocks_per_multiprocessor);
    }
    constexpr bool may_assign_pieces =
        Pass::walks_edges && std::is_same_v<Split, row_split> && !Pass::has_parameter_targets;
    bool const assigns_pieces = may_assign_pieces && kernel.shares_rows;
    if constexpr (may_assign_pieces) {
      if (assigns_pieces)
        t.piece_sub_groups = c.schedule.choose_piece_sub_groups(kernel.group_size, kernel.edges_in_flight);
    }
    int const groups = threads / kernel.group_size;
    int const num_parts = Pass::walks_edges ? c.schedule.num_parts(c.is_tiled) : 1;
    std::int64_t summing_blocks = kernel.summing_blocks;
    t.wave_blocks = summing_blocks;
    if constexpr (Pass::has_parameter_targets && Pass::walks_edges && !by_shares && !from_queue) {
      std::int64_t const rows = c.grouping.num_rows;
      std::int64_t const edges = c.grouping.num_edges;
      std::int64_t const waves = count_waves(rows, edges, summing_blocks * (groups / t.sub_groups));
      std::int64_t const most = most_parameter_blocks(rows, edges) / summing_blocks;
      summing_blocks *= waves < most ? waves : most;
    }
    for (int part = 0; part < num_parts; ++part) {
      if constexpr (by_shares) {
        t.schedule = c.schedule.view();
        t.num_tasks = t.schedule.num_shares;
      } else {
        if constexpr (Pass::walks_edges) {
          t.schedule = c.schedule.view(part, c.is_tiled);
          if (Pass::has_parameter_targets) {
            t.schedule.order = nullptr;  // the order of a sum over all edges would change its bits
            t.schedule.tasks = nullptr;
          }
        } else {
          t.schedule.bound = c.grouping.num_edges;  // nothing to cut where no edges are walked
        }
        bool const takes_rows = part + 1 == num_parts;
        t.num_tasks = std::int64_t{t.schedule.capacity} + (takes_rows ? std::int64_t{c.grouping.num_rows} : 0);
      }
      t.adds_partials = part > 0;
      std::int64_t blocks =
          Pass::has_parameter_targets ? summing_blocks : blocks_for(t.num_tasks, groups / t.sub_groups);
      if constexpr (may_assign_pieces) {
        if (assigns_pieces) blocks = assign_pieces(t, groups);
      }
      if (blocks == 0) continue;
      if constexpr (from_queue) {
        int const blocks_of_one = kernel.group_size > 32 ? 4 : kernel.blocks_per_multiprocessor;
        std::int64_t const resident = std::int64_t{multiprocessors()} * blocks_of_one;
        blocks = blocks < resident ? blocks : resident;
      }
      unsigned const grid = launch_blocks(blocks);
      if (adds_dot_tiles) {
        kernel.start(t, {grid, 1}, threads, c.exec.stream);
        kernel.start_adding(t, {grid, 1}, threads, c.exec.stream);
      } else {
        start_tiles(t, rows.adds_tiles, [&](auto const& some, int tiles) {
          kernel.start(some, {grid, static_cast<unsigned>(tiles)}, threads, c.exec.stream);
        });
      }
    }
    if constexpr (Pass::has_parameter_targets) {
      fold_parameters(c.exec.stream, c.pass, c.extents, t.partials, summing_blocks);
    }
  }

  static std::int64_t blocks_for(std::int64_t tasks, int tasks_a_block) {
    return (tasks + tasks_a_block - 1) / tasks_a_block;
  }
  /// Pieces get blocks of their own where more groups share one than share a row. Returns the blocks of the launch.
  template <class Traversal>
  static std::int64_t assign_pieces(Traversal& t, int groups) {
    std::int64_t const pieces = t.piece_sub_groups > t.sub_groups ? t.schedule.capacity : 0;
    t.piece_blocks = pieces > 0 ? blocks_for(pieces, groups / t.piece_sub_groups) : 0;
    return t.piece_blocks + blocks_for(t.num_tasks - pieces, groups / t.sub_groups);
  }
};

}  // namespace edgewise::inline v0::detail
