// The schedule of tiles: long windows in pieces, and the rows of windows without tiles as a grouping of their own.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/format/wsb.hpp>
#include <edgewise/schedule/device_schedule.cuh>

namespace edgewise::inline v0::detail {

/// A part of a window that has more tiles than one warp should walk. `first_piece`: of the window.
template <class Offset>
struct window_piece {
  Offset begin = 0;
  Offset end = 0;
  std::int32_t window = 0;
  std::int32_t first_piece = 0;
  std::int32_t num_pieces = 0;
};

/// Where the edges of each row of a piece begin: behind those of the window's earlier tiles. One thread per piece and
/// row. Shape: positions [num_pieces, 16].
template <class Rows, class Offset>
__global__ void find_piece_positions(wsb_view<Rows> const tiles, window_piece<Offset> const* pieces,
                                     std::int64_t num_pieces, Offset* positions) {
  auto const i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= num_pieces * wsb_window_rows) return;
  window_piece<Offset> const piece = pieces[i / wsb_window_rows];
  auto const r = static_cast<int>(i % wsb_window_rows);
  std::int64_t const row = static_cast<std::int64_t>(piece.window) * wsb_window_rows + r;
  Offset position = row < tiles.num_rows ? tiles.offsets[row] : Offset(0);
  for (Offset tile = tiles.window_tiles[piece.window]; tile < piece.begin; ++tile) {
    position += static_cast<Offset>(__popc(tiles.masks[static_cast<std::int64_t>(tile) * wsb_window_rows + r]));
  }
  positions[i] = position;
}

/// Copies the edges of rows that are left, [offsets of the whole] to [offsets of those left]. One warp per row.
template <class Index, class Offset>
__global__ void copy_left_rows(grouping_view<Index, Offset> const from, Offset const* left_offsets, Index* neighbors,
                               Offset* edge_ids) {
  auto const row = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= from.num_rows) return;
  Offset const to = left_offsets[row];
  Offset const size = left_offsets[row + 1] - to;
  for (Offset k = static_cast<Offset>(threadIdx.x % 32); k < size; k += 32) {
    Offset const position = from.offsets[row] + k;
    neighbors[to + k] = from.neighbors[position];
    edge_ids[to + k] = from.edge_id(position);
  }
}

template <bool ReadsTf32, class Index, class Offset>
class device_schedule<basic_tile_split<ReadsTf32>, Index, Offset> {
  using split_type = basic_tile_split<ReadsTf32>;
  using row_schedule = device_schedule<row_split, Index, Offset>;

public:
  std::size_t num_slots = 0;

  device_schedule() = default;
  /// Reads offsets of rows and windows: waits for the stream.
  template <class Rows>
  device_schedule(stream_handle stream, memory_resource* memory, split_type split, wsb_view<Rows> const& tiles,
                  sizing size, std::int64_t most_slots)
      : max_tiles_(split.max_tiles),
        has_tiles_(size == sizing::exact && split.tiles == tile_use::taken && tiles.num_tiles > 0) {
    row_split rows = split.rows;
    if (has_tiles_) rows.partitions = 1;  // a plan counts one launch for each part
    num_tiles_ = static_cast<std::int64_t>(tiles.num_tiles);
    num_edges_ = static_cast<std::int64_t>(tiles.num_edges);
    all_rows_ = row_schedule(stream, memory, rows, tiles, size, most_slots, unknown_pieces);
    if (has_tiles_) {
      auto const windows = read(stream, tiles.window_tiles, std::size_t(tiles.num_windows()) + 1);
      cut_windows(stream, memory, windows);
      if (num_pieces_ > 0) find_positions(stream, memory, tiles);
      leave_rows(stream, memory, split, tiles, windows, most_slots);
    }
    auto const more = [this](std::size_t slots) { num_slots = num_slots > slots ? num_slots : slots; };
    more(all_rows_.num_slots);
    more(left_rows_.num_slots);
    more(num_pieces_ * wsb_window_rows);
  }

  /// In a plan for a capacity, whose windows are not known: its rows are walked.
  void rebuild(stream_handle stream, grouping_view<Index, Offset> const& rows) { all_rows_.rebuild(stream, rows); }

  /// Launches of a pass that takes tiles, or, where there are none, of rows.
  int num_parts(bool is_tiled = false) const {
    if (!has_tiles_) return all_rows_.num_parts(is_tiled);
    return has_left_rows() ? 1 + left_rows_.num_parts(is_tiled) : 1;
  }
  bool has_tiles() const { return has_tiles_; }
  bool has_left_rows() const { return left_.num_edges > 0; }
  row_schedule const& all_rows() const { return all_rows_; }
  row_schedule const& left_rows() const { return left_rows_; }
  /// The rows of windows without tiles; all others are empty here.
  grouping_view<Index, Offset> const& left() const { return left_; }
  window_piece<Offset> const* pieces() const { return pieces_.data(); }
  /// Shape: [num_pieces, 16].
  Offset const* piece_positions() const { return positions_.data(); }
  std::int64_t num_pieces() const { return static_cast<std::int64_t>(num_pieces_); }
  Offset max_tiles() const {
    return max_tiles_ < std::numeric_limits<Offset>::max() ? static_cast<Offset>(max_tiles_)
                                                           : std::numeric_limits<Offset>::max();
  }
  std::string text(std::int64_t = no_bound) const {
    if (!has_tiles_) return "rows in place of " + tiles_text() + ", " + all_rows_.text();
    std::string const cut =
        num_pieces_ > 0 ? detail::text(", ", num_pieces_, " pieces of windows of more than ", max_tiles_, " tiles")
                        : "";
    std::string const left =
        has_left_rows() ? detail::text(", ", left_.num_edges, " edges in rows left: ", left_rows_.text()) : "";
    return tiles_text() + detail::text(" in ", num_windows_, " windows") + cut + left;
  }

private:
  /// What `automatic` looks at (mapping/tensor_core.hpp).
  std::string tiles_text() const {
    double const columns = static_cast<double>(wsb_tile_columns * num_tiles_);
    double const per_edge = num_edges_ > 0 ? columns / static_cast<double>(num_edges_) : 0;
    return detail::text(num_tiles_, " tiles of ", static_cast<double>(static_cast<int>(100 * per_edge + 0.5)) / 100,
                        " columns per edge");
  }

  template <class T>
  static std::vector<T> read(stream_handle stream, T const* data, std::size_t size) {
    std::vector<T> copy(size);
    check_cuda(cudaMemcpyAsync(copy.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost, stream),
               "plan: read offsets of tiles");
    check_cuda(cudaStreamSynchronize(stream), "plan: read offsets of tiles");
    return copy;
  }
  /// The copy is done when this returns.
  template <class T>
  static device_buffer<T> write(stream_handle stream, memory_resource* memory, std::vector<T> const& data) {
    device_buffer<T> buffer(data.size(), memory, stream);
    check_cuda(cudaMemcpyAsync(buffer.data(), data.data(), buffer.size_bytes(), cudaMemcpyHostToDevice, stream),
               "plan: write the schedule of tiles");
    check_cuda(cudaStreamSynchronize(stream), "plan: write the schedule of tiles");
    return buffer;
  }

  void cut_windows(stream_handle stream, memory_resource* memory, std::vector<Offset> const& windows) {
    std::vector<window_piece<Offset>> pieces;
    num_windows_ = static_cast<std::int64_t>(windows.size()) - 1;
    for (std::int64_t w = 0; w < num_windows_; ++w) {
      std::int64_t const begin = windows[static_cast<std::size_t>(w)];
      std::int64_t const end = windows[static_cast<std::size_t>(w) + 1];
      if (end - begin <= max_tiles_) continue;
      std::int64_t const count = (end - begin + max_tiles_ - 1) / max_tiles_;
      auto const first = static_cast<std::int32_t>(pieces.size());
      for (std::int64_t i = 0; i < count; ++i) {
        pieces.push_back({static_cast<Offset>(begin + (end - begin) * i / count),
                          static_cast<Offset>(begin + (end - begin) * (i + 1) / count), static_cast<std::int32_t>(w),
                          first, static_cast<std::int32_t>(count)});
      }
    }
    num_pieces_ = pieces.size();
    if (num_pieces_ > 0) pieces_ = write(stream, memory, pieces);
  }

  template <class Rows>
  void find_positions(stream_handle stream, memory_resource* memory, wsb_view<Rows> const& tiles) {
    positions_ = device_buffer<Offset>(num_pieces_ * wsb_window_rows, memory, stream);
    constexpr int threads = 256;
    auto const size = static_cast<std::int64_t>(positions_.size());
    launch_kernel("plan: find the edges of pieces", find_piece_positions<Rows, Offset>,
                  launch_blocks((size + threads - 1) / threads), threads, stream, tiles, pieces_.data(),
                  static_cast<std::int64_t>(num_pieces_), positions_.data());
  }

  void leave_rows(stream_handle stream, memory_resource* memory, split_type split,
                  grouping_view<Index, Offset> const& rows, std::vector<Offset> const& windows,
                  std::int64_t most_slots) {
    auto offsets = read(stream, rows.offsets, static_cast<std::size_t>(rows.num_rows) + 1);
    Offset before = 0;
    Offset left = 0;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      std::size_t const window = row / wsb_window_rows;
      Offset const end = offsets[row + 1];
      bool const is_left = windows[window] == windows[window + 1];
      offsets[row] = left;
      if (is_left) left += end - before;
      before = end;
    }
    offsets.back() = left;
    if (left == 0) return;
    left_offsets_ = write(stream, memory, offsets);
    left_neighbors_ = device_buffer<Index>(static_cast<std::size_t>(left), memory, stream);
    left_ids_ = device_buffer<Offset>(static_cast<std::size_t>(left), memory, stream);
    constexpr int threads = 256;
    std::int64_t const blocks = (std::int64_t{rows.num_rows} * 32 + threads - 1) / threads;
    launch_kernel("plan: copy rows without tiles", copy_left_rows<Index, Offset>, launch_blocks(blocks), threads,
                  stream, rows, left_offsets_.data(), left_neighbors_.data(), left_ids_.data());
    left_ = rows;
    left_.offsets = left_offsets_.data();
    left_.neighbors = left_neighbors_.data();
    left_.edge_ids = left_ids_.data();
    left_.num_edges = left;
    left_rows_ = row_schedule(stream, memory, split.rows, left_, sizing::exact, most_slots, unknown_pieces);
  }

  std::int64_t max_tiles_ = no_bound;
  std::int64_t num_windows_ = 0;
  std::int64_t num_tiles_ = 0;
  std::int64_t num_edges_ = 0;
  row_schedule all_rows_;
  row_schedule left_rows_;
  grouping_view<Index, Offset> left_;
  device_buffer<Offset> left_offsets_;
  device_buffer<Index> left_neighbors_;
  device_buffer<Offset> left_ids_;
  device_buffer<window_piece<Offset>> pieces_;
  device_buffer<Offset> positions_;
  std::size_t num_pieces_ = 0;
  bool has_tiles_ = false;
};

}  // namespace edgewise::inline v0::detail
