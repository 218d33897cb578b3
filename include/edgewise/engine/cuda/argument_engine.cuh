// Gradients of max and min on CUDA devices: by fixed-point words, whose sums do not depend on the order of terms, or by
// atomics of floats.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/engine/cuda/argument_entry.cuh>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/format/graph_traits.hpp>

namespace edgewise::inline v0::detail {

template <>
struct argument_engine<cuda> {
  template <class T>
  static constexpr bool takes = std::is_same_v<T, float>;
  static constexpr bool is_kept_clear = true;
  template <bool Atomic>
  static bool is_worth_it(graph_counts counts, std::int64_t) {
    return Atomic || counts.edges >= least_degree * counts.destinations;
  }

  template <class T>
  static std::size_t bytes(argument_room const& room) {
    if (room.gradients == 0) return 0;
    return sizeof(fixed_header) +
           static_cast<std::size_t>(size_of_array(room.gradients, room.sources, fixed_tile_channels(room))) *
               sizeof(fixed_word);
  }

  template <bool Atomic, class Pass>
  static void run(cuda const& exec, Pass const& pass, argument_room const& room, int chunk, char* memory) {
    if constexpr (Atomic || Pass::source_targets::size == 0) {
      std::int64_t const channel_bytes =
          Pass::source_targets::size * std::int64_t{pass.num_sources} * static_cast<std::int64_t>(sizeof(float));
      argument_tiles t = split(pass.num_row_elements, tile_channels(pass.num_row_elements, channel_bytes), 1);
      for_each_launch(t, [&](unsigned tiles) {
        launch_kernel("add_float_terms", add_float_terms<Pass>,
                      dim3(blocks_for(t, pass.num_rows, rows_of_thread), tiles), argument_block_threads, exec.stream,
                      pass, t);
      });
    } else if (chunk >= 4) {
      run_fixed<argument_geometry<4, access::chunk>>(exec, pass, room, memory);
    } else {
      run_fixed<argument_geometry<1, access::element>>(exec, pass, room, memory);
    }
  }

private:
  /// What a tile's sums may take of the level-2 cache, and the narrowest tile: its rows are whole sectors of memory.
  static constexpr std::int64_t cache_bytes = 24 << 20;
  static constexpr std::int64_t narrowest_tile = 16;
  static constexpr std::int64_t widest_tile = 256;
  /// Mean degree from which fixed-point sums are faster than a traversal by source.
  static constexpr std::int64_t least_degree = 12;

  /// `channel_bytes`: what all rows' sums take for each channel.
  static std::int64_t tile_channels(std::int64_t elements, std::int64_t channel_bytes) {
    std::int64_t channels = 4;
    while (channels < elements && channels < widest_tile) channels *= 2;
    while (channels > narrowest_tile && channels * channel_bytes > cache_bytes) channels /= 2;
    return channels;
  }
  static std::int64_t fixed_tile_channels(argument_room const& room) {
    return tile_channels(room.elements, room.gradients * room.sources * static_cast<std::int64_t>(sizeof(fixed_word)));
  }
  static argument_tiles split(std::int64_t elements, std::int64_t channels, int chunk) {
    argument_tiles t{elements, static_cast<std::int32_t>(channels), 0, 0};
    while ((chunk << t.chunk_shift) < channels) ++t.chunk_shift;
    return t;
  }
  static unsigned blocks_for(argument_tiles const& t, std::int64_t rows, int rounds = 1) {
    std::int64_t const threads = rows << t.chunk_shift;
    std::int64_t const per_block = std::int64_t{argument_block_threads} * rounds;
    return launch_blocks((threads + per_block - 1) / per_block);
  }
  static unsigned count_tiles(argument_tiles const& t) {
    return static_cast<unsigned>((t.num_elements + t.tile_channels - 1) / t.tile_channels);
  }

  /// Calls start(tiles), with the first of them in `t`, for as many launches as they need.
  template <class Start>
  static void for_each_launch(argument_tiles& t, Start const& start) {
    auto const tiles = static_cast<int>(count_tiles(t));
    for (t.first_tile = 0; t.first_tile < tiles; t.first_tile += most_launched_tiles) {
      int const left = tiles - t.first_tile;
      start(static_cast<unsigned>(left < most_launched_tiles ? left : most_launched_tiles));
    }
  }

  /// Geometry: of what streams, the search for the largest term and the storing of sums.
  template <class Geometry, class Pass>
  static void run_fixed(cuda const& exec, Pass const& pass, argument_room const& room, char* memory) {
    constexpr int chunk = Geometry::channels_per_chunk;
    std::int64_t const elements = pass.num_row_elements;
    auto* const header = reinterpret_cast<fixed_header*>(memory);
    auto* const sums = reinterpret_cast<fixed_word*>(header + 1);
    int const count_bits = bits_of_count(static_cast<long long>(pass.num_rows) * Pass::num_aggregations);
    constexpr int rounds = 4;
    argument_tiles whole = split(elements, tile_channels(elements, 0), chunk);
    for_each_launch(whole, [&](unsigned tiles) {
      launch_kernel("find_largest_terms", find_largest_terms<rounds, Geometry, Pass>,
                    dim3(blocks_for(whole, pass.num_rows, rounds), tiles), argument_block_threads, exec.stream, pass,
                    whole, header);
    });
    argument_tiles adding = split(elements, fixed_tile_channels(room), 1);
    argument_tiles storing = split(elements, fixed_tile_channels(room), chunk);
    std::int64_t const gradient_size = room.sources * adding.tile_channels;
    int const tiles = static_cast<int>(count_tiles(adding));
    for (int tile = 0; tile < tiles; ++tile) {
      adding.first_tile = storing.first_tile = tile;
      launch_kernel("add_fixed_terms", add_fixed_terms<Pass>, blocks_for(adding, pass.num_rows, rows_of_thread),
                    argument_block_threads, exec.stream, pass, adding, header, sums, gradient_size, count_bits);
      [&]<class... Bound>(type_list<Bound...>) {
        (store<Geometry>(exec, pass, type_tag<Bound>{}, storing, tiles, header, sums, gradient_size, count_bits), ...);
      }(typename Pass::source_targets{});
    }
  }

  template <class Geometry, class Pass, class Bound>
  static void store(cuda const& exec, Pass const& pass, type_tag<Bound>, argument_tiles const& t, int tiles,
                    fixed_header* header, fixed_word* sums, std::int64_t gradient_size, int count_bits) {
    constexpr int gradient = position_of<Bound, typename Pass::source_targets>;
    unsigned const blocks = blocks_for(t, pass.num_sources);
    launch_kernel("store_fixed_sums", store_fixed_sums<Geometry::channels_per_chunk, Geometry::access_of, Bound>,
                  blocks, argument_block_threads, exec.stream, pass.sources.template of<Bound>(), t, pass.num_sources,
                  header, gradient, sums + gradient * gradient_size, count_bits, blocks * static_cast<unsigned>(tiles));
  }
};

}  // namespace edgewise::inline v0::detail
