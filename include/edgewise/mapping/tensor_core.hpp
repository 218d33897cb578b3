// Tiles of a wsb on tensor cores.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/format/graph.hpp>
#include <edgewise/format/wsb.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// Tiles of a graph of wsb formats on a GPU's tensor cores (sm_80 on), for programs of one `gather<sum>` or
/// `gather<mean>` whose edges compute a number per head, by any expression, functor, softmax or dropout, and multiply a
/// row of the source by it. Rows are stored as float16 or bfloat16; products are summed in float, numbers of edges are
/// rounded to that type before they multiply rows. Operands are finite: an infinite element of a column reaches all
/// rows of a window as NaN. No atomics: the same inputs give the same bits. Rows are walked edge by edge, as
/// `automatic` would, where tiles do not serve: rows stored as float or double, heads of more than 128 channels that
/// are multiplied or whose weights have gradients, weights per row with gradients under several heads, gradients of
/// parameters, values of edges that are kept, plans for a capacity, CPUs. ReadsTf32: rows stored as float are taken,
/// too, and rounded to tf32, 10 bits of fraction and float's exponent, where they are multiplied. A backward pass by
/// source that forms gradients of both the inner product's and the weighted operand (keys and values) takes heads of up
/// to 64 channels; wider ones are walked. Source: "On Efficient Scaling of GNNs via IO-Aware Layers Implementations",
/// section 3.3.
template <bool ReadsTf32>
struct basic_tensor_core {
  static constexpr char const* name = ReadsTf32 ? "tensor_core_tf32" : "tensor_core";
  using split_type = basic_tile_split<ReadsTf32>;
  /// Tiles of a window that is not cut; 0: as many as leave work for all warps of a GPU.
  std::int64_t max_tiles = 0;

  degree_use uses_degrees() const { return automatic{}.uses_degrees(); }
  split_type split(degree_histogram const& degrees) const {
    workload const& work = degrees.work();
    return {automatic{}.split(degrees), longest_piece(work), split_type::use_for(work.storage_of_tiles)};
  }
  constexpr split_type split(workload work) const {
    return {automatic{}.split(work), longest_piece(work), split_type::use_for(work.storage_of_tiles)};
  }

  /// Two pieces for each of the 2112 warps that an H100 holds at a time, but short ones spend their time on states.
  /// Where there are as many windows, only those are cut that are long among them (docs/tuning.md, R55).
  constexpr std::int64_t longest_piece(workload work) const {
    if (max_tiles > 0) return max_tiles;
    constexpr std::int64_t bytes_a_warp = ReadsTf32 ? 512 : 256, pieces = 4096, least = 32;
    std::int64_t const row_bytes = work.num_neighbors > 0 ? work.neighbor_bytes / work.num_neighbors : 0;
    std::int64_t const warps = row_bytes > bytes_a_warp ? row_bytes / bytes_a_warp : 1;
    std::int64_t const windows = (work.num_rows + wsb_window_rows - 1) / wsb_window_rows;
    std::int64_t const length =
        windows * warps < 2 * pieces ? work.num_tiles * warps / pieces : 4 * (work.num_tiles / windows);
    return length < least ? least : length;
  }
};
using tensor_core = basic_tensor_core<false>;
using tensor_core_tf32 = basic_tensor_core<true>;

namespace detail {

/// `automatic` over a graph of wsb formats: takes tiles where they were faster in 16 bits, forward and backward, on an
/// H100 (docs/tiles.md), and leaves them where they were not, or might not be.
struct automatic_over_tiles {
  static constexpr char const* name = automatic::name;
  automatic rows = {};

  degree_use uses_degrees() const { return rows.uses_degrees(); }
  tile_split split(degree_histogram const& degrees) const {
    return {rows.split(degrees), tensor_core{}.longest_piece(degrees.work()), use(degrees.work())};
  }
  tile_split split(workload work) const { return {rows.split(work), tensor_core{}.longest_piece(work), use(work)}; }

private:
  /// The time of tiles goes with their columns and with the warps that take a row, of 64 or 128 channels of a head
  /// whether they are there or not; that of rows with edges and channels. Inner products cost rows more, and so do
  /// neighbors that do not stay in the cache (docs/tuning.md, R58).
  static tile_use use(workload work) {
    constexpr std::int64_t wide = most_tile_channels, narrow = wide / 2, few_edges = 100000;
    if (work.num_tiles == 0 || work.num_edges < few_edges || work.head_channels == 0) return tile_use::left;
    bool const is_narrow = work.head_channels <= narrow;
    std::int64_t const held = is_narrow ? narrow : (work.head_channels + wide - 1) / wide * wide;
    double const columns_per_edge =
        static_cast<double>(wsb_tile_columns * work.num_tiles) / static_cast<double>(work.num_edges);
    double const cost = columns_per_edge * static_cast<double>(held) / static_cast<double>(work.head_channels);
    bool const is_cached = work.neighbor_bytes <= work.cache_bytes;
    bool const saves_products = work.has_products && is_narrow;
    double const limit = saves_products ? (is_cached ? 0.65 : 0.85) : (is_cached ? 0.4 : 0.55);
    return cost <= limit ? tile_split::use_for(work.storage_of_tiles) : tile_use::left;
  }
};

/// The mapping that takes the place of one over a graph.
template <class Graph, class Mapping>
constexpr auto mapping_over(Mapping const& mapping) {
  if constexpr (std::is_same_v<Mapping, automatic> && is_graph_of_tiles<Graph>) {
    return automatic_over_tiles{mapping};
  } else {
    return mapping;
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
