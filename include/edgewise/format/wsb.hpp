// Window-sorted blocks: the rows of a csr or csc, and beside them the tiles of the adjacency matrix that hold edges, in
// the shape that tensor cores take ("On Efficient Scaling of GNNs via IO-Aware Layers Implementations", section 3.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// Rows that follow one another in the adjacency matrix, a window, share the neighbors that any of them has. Those are
/// listed once a window, in ascending order, and cut into tiles.
inline constexpr int wsb_window_rows = 16;
inline constexpr int wsb_tile_columns = 16;

/// Non-owning. Rows: a `csr_view` or `csc_view` whose rows are sorted by neighbor; a graph takes this in its place.
/// Window w is rows [16 w, 16 w + 16), the last one may have fewer; its tiles are [window_tiles[w], window_tiles[w +
/// 1]). Column c of tile t is the neighbor columns[16 t + c], and row r of the window has an edge there if bit c of
/// masks[16 t + r] is set. Taken tile after tile, the set bits of a row are its edges in order: edge number k of the
/// row is at position offsets[row] + k, however the tiles are cut. A neighbor that some row of the window has n times
/// is listed n times. Unused columns of a window's last tile repeat the last neighbor and have no bits. A window with
/// edges but without tiles is left to its rows. Shapes: window_tiles [num_windows + 1], columns and masks [num_tiles,
/// 16]. Never validates.
template <class Rows>
struct wsb_view : Rows {
  using typename Rows::index_type;
  using typename Rows::offset_type;
  using rows_type = Rows;
  static constexpr char const* name = "wsb";

  offset_type const* window_tiles = nullptr;
  index_type const* columns = nullptr;
  std::uint16_t const* masks = nullptr;
  offset_type num_tiles = 0;

  EDGEWISE_HD index_type num_windows() const {
    return this->num_rows / wsb_window_rows + (this->num_rows % wsb_window_rows != 0);
  }
};

/// Owns what a `wsb_view` shows. Rows: a `csr` or `csc`, in whose space the tiles lie too. Move-only; made by
/// `to_wsb` (format/to_wsb.hpp).
template <class Rows>
class wsb {
public:
  using index_type = typename Rows::index_type;
  using offset_type = typename Rows::offset_type;
  using space = typename Rows::space;
  using rows_type = Rows;
  using view_type = wsb_view<typename Rows::view_type>;

  /// No vertices, no edges, no memory.
  wsb() = default;

  /// Adopts rows and tiles. Checks sizes (`invalid_argument`), never contents.
  wsb(Rows rows, buffer<offset_type, space> window_tiles, buffer<index_type, space> columns,
      buffer<std::uint16_t, space> masks)
      : rows_(std::move(rows)),
        window_tiles_(std::move(window_tiles)),
        columns_(std::move(columns)),
        masks_(std::move(masks)) {
    detail::require_size("wsb", "window_tiles", window_tiles_.size(), "num_windows + 1",
                         static_cast<std::size_t>(view().num_windows()) + 1);
    detail::require_size("wsb", "masks", masks_.size(), "that of columns", columns_.size());
    auto const whole = columns_.size() / wsb_tile_columns * wsb_tile_columns;
    detail::require_size("wsb", "columns", columns_.size(), "a multiple of 16", whole);
  }

  view_type view() const noexcept {
    view_type v{rows_.view()};
    v.window_tiles = window_tiles_.data();
    v.columns = columns_.data();
    v.masks = masks_.data();
    v.num_tiles = static_cast<offset_type>(columns_.size() / wsb_tile_columns);
    return v;
  }
  operator view_type() const& noexcept { return view(); }
  operator view_type() const&& = delete;

  Rows const& rows() const noexcept { return rows_; }
  /// Shapes as in the view.
  buffer<offset_type, space> const& window_tiles() const noexcept { return window_tiles_; }
  buffer<index_type, space> const& columns() const noexcept { return columns_; }
  buffer<std::uint16_t, space> const& masks() const noexcept { return masks_; }

  index_type num_destinations() const noexcept { return rows_.num_destinations(); }
  index_type num_sources() const noexcept { return rows_.num_sources(); }
  offset_type num_edges() const noexcept { return rows_.num_edges(); }
  vertex_counts counts() const noexcept { return rows_.counts(); }

  memory_resource* memory() const noexcept { return rows_.memory(); }
  std::size_t tile_bytes() const noexcept {
    return window_tiles_.size_bytes() + columns_.size_bytes() + masks_.size_bytes();
  }
  std::size_t size_bytes() const noexcept { return rows_.size_bytes() + tile_bytes(); }

private:
  Rows rows_;
  buffer<offset_type, space> window_tiles_;
  buffer<index_type, space> columns_;
  buffer<std::uint16_t, space> masks_;
};

}  // namespace edgewise::inline v0
