// Window-sorted blocks in a file, so that large graphs are tiled once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/validate_wsb.hpp>
#include <edgewise/format/wsb.hpp>
#include <edgewise/io/input_file.hpp>
#include <edgewise/io/output_file.hpp>

namespace edgewise::inline v0 {

namespace detail {

static_assert(std::endian::native == std::endian::little, "wsb_file: files hold the bytes of a little-endian machine");

/// What a file begins with; its arrays follow in the order offsets, neighbors, edge ids if it has any, window_tiles,
/// columns, masks, and then the checksum of all before.
struct wsb_file_header {
  static constexpr std::array<char, 8> expected_magic{'e', 'd', 'g', 'e', 'w', 's', 'b', '\n'};
  static constexpr std::uint32_t expected_version = 1;

  std::array<char, 8> magic = expected_magic;
  std::uint32_t version = expected_version;
  std::uint16_t index_bytes = 0;
  std::uint16_t offset_bytes = 0;
  std::uint32_t by_source = 0;  ///< 0: rows are destinations, 1: sources
  std::uint32_t has_edge_ids = 0;
  std::int64_t num_rows = 0;
  std::int64_t num_neighbors = 0;
  std::int64_t num_edges = 0;
  std::int64_t num_tiles = 0;
};
static_assert(sizeof(wsb_file_header) == 56);

/// Adds the bytes of `count` elements; false where a file cannot have as many.
inline bool add_bytes(std::uint64_t& total, std::uint64_t count, std::uint64_t element_bytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  if (count > most / element_bytes) return false;
  total += count * element_bytes;
  return total <= most;
}

/// Refuses a header that is not one of `Rows`, or that says another size than the file has: before anything is
/// allocated.
template <class Rows>
void check_header(input_file& file, wsb_file_header const& header) {
  using view = typename Rows::view_type;
  using index_type = typename Rows::index_type;
  using offset_type = typename Rows::offset_type;
  if (header.magic != wsb_file_header::expected_magic) file.fail("is no wsb file");
  if (header.version != wsb_file_header::expected_version) {
    file.fail(text("has version ", header.version, ", must have ", wsb_file_header::expected_version));
  }
  if (header.index_bytes != sizeof(index_type) || header.offset_bytes != sizeof(offset_type)) {
    file.fail(text("has vertex ids of ", header.index_bytes, " and offsets of ", header.offset_bytes,
                   " bytes, must have ", sizeof(index_type), " and ", sizeof(offset_type)));
  }
  constexpr bool by_source = view::grouped_by == endpoint::source;
  if (header.by_source > 1 || header.has_edge_ids > 1) file.fail("has a damaged header");
  if ((header.by_source == 1) != by_source) {
    file.fail(text("is grouped by ", by_source ? "destination, must be by source" : "source, must be by destination"));
  }
  if (header.num_rows < 0 || header.num_neighbors < 0 || header.num_edges < 0 || header.num_tiles < 0) {
    file.fail("has a negative count");
  }
  try {
    checked_count<index_type>("wsb", "num_rows", header.num_rows);
    checked_count<index_type>("wsb", "num_neighbors", header.num_neighbors);
    checked_count<offset_type>("wsb", "num_edges", header.num_edges);
    checked_count<offset_type>("wsb", "num_tiles", header.num_tiles);
  } catch (invalid_argument const& refusal) {
    file.fail(refusal.what());
  }
  auto const rows = static_cast<std::uint64_t>(header.num_rows);
  auto const edges = static_cast<std::uint64_t>(header.num_edges);
  auto const tiles = static_cast<std::uint64_t>(header.num_tiles);
  std::uint64_t bytes = sizeof(std::uint64_t);  // the checksum
  bool const is_possible = add_bytes(bytes, rows + 1, sizeof(offset_type)) &&
                           add_bytes(bytes, edges, sizeof(index_type)) &&
                           add_bytes(bytes, header.has_edge_ids ? edges : 0, sizeof(offset_type)) &&
                           add_bytes(bytes, (rows + wsb_window_rows - 1) / wsb_window_rows + 1, sizeof(offset_type)) &&
                           add_bytes(bytes, tiles, wsb_tile_columns * sizeof(index_type)) &&
                           add_bytes(bytes, tiles, wsb_window_rows * sizeof(std::uint16_t));
  std::uint64_t const left = file.num_left();
  if (!is_possible || left != bytes) {
    file.fail(text("has ", left, " bytes behind its header, must have ", is_possible ? text(bytes) : "more than 2^62"));
  }
}

}  // namespace detail

/// Writes a host `wsb` to a file: to `path` with ".part" behind it, which takes the place of `path` once all is
/// written. Throws `io_error` naming the file.
template <class Rows>
void save_wsb(std::filesystem::path const& path, wsb<Rows> const& g) {
  detail::require_same_space<cpu, Rows>();
  using view = typename Rows::view_type;
  detail::wsb_file_header header;
  header.index_bytes = sizeof(typename Rows::index_type);
  header.offset_bytes = sizeof(typename Rows::offset_type);
  header.by_source = view::grouped_by == endpoint::source;
  header.has_edge_ids = !g.rows().edge_ids().empty();
  header.num_rows = g.view().num_rows;
  header.num_neighbors = g.view().num_neighbors;
  header.num_edges = g.view().num_edges;
  header.num_tiles = g.view().num_tiles;

  detail::new_file file(path);
  detail::byte_checksum sum;
  auto const write = [&](void const* data, std::size_t size) {
    sum.add(data, size);
    file.write(data, size);
  };
  write(&header, sizeof(header));
  typename Rows::offset_type const zero = 0;  // one made by default has no offsets
  auto const write_offsets = [&](auto const& offsets) {
    offsets.empty() ? write(&zero, sizeof(zero)) : write(offsets.data(), offsets.size_bytes());
  };
  write_offsets(g.rows().offsets());
  write(g.rows().neighbors().data(), g.rows().neighbors().size_bytes());
  write(g.rows().edge_ids().data(), g.rows().edge_ids().size_bytes());
  write_offsets(g.window_tiles());
  write(g.columns().data(), g.columns().size_bytes());
  write(g.masks().data(), g.masks().size_bytes());
  std::uint64_t const value = sum.value();
  file.write(&value, sizeof(value));
  file.keep();
}

/// The `wsb` that `save_wsb` wrote; Rows: the `csr` or `csc` that it has, with the same types of ids and offsets. What
/// comes from the file is checked, as `validate` does, and sizes before memory is taken for them. Throws `io_error`
/// naming the file and what is wrong.
template <class Rows>
wsb<Rows> load_wsb(std::filesystem::path const& path, memory_resource* memory = host_memory()) {
  detail::require_same_space<cpu, Rows>();
  using index_type = typename Rows::index_type;
  using offset_type = typename Rows::offset_type;
  detail::input_file file(path);
  detail::byte_checksum sum;
  auto const read = [&](void* to, std::size_t size) {
    if (file.read(static_cast<char*>(to), size) != size) file.fail("ends too early");
    sum.add(to, size);
  };
  detail::wsb_file_header header;
  read(&header, sizeof(header));
  detail::check_header<Rows>(file, header);

  auto const read_array = [&]<class T>(std::int64_t size, T) {
    host_buffer<T> array(static_cast<std::size_t>(size), memory);
    read(array.data(), array.size_bytes());
    return array;
  };
  std::int64_t const num_windows = (header.num_rows + wsb_window_rows - 1) / wsb_window_rows;
  auto offsets = read_array(header.num_rows + 1, offset_type{});
  auto neighbors = read_array(header.num_edges, index_type{});
  auto edge_ids = read_array(header.has_edge_ids ? header.num_edges : 0, offset_type{});
  auto window_tiles = read_array(num_windows + 1, offset_type{});
  auto columns = read_array(header.num_tiles * wsb_tile_columns, index_type{});
  auto masks = read_array(header.num_tiles * wsb_window_rows, std::uint16_t{});
  std::uint64_t const expected = sum.value();
  std::uint64_t value = 0;
  read(&value, sizeof(value));
  if (value != expected) file.fail("is damaged: its checksum is not that of its bytes");

  vertex_counts const counts = header.by_source ? vertex_counts{header.num_rows, header.num_neighbors}
                                                : vertex_counts{header.num_neighbors, header.num_rows};
  wsb<Rows> g({counts, std::move(offsets), std::move(neighbors), std::move(edge_ids)}, std::move(window_tiles),
              std::move(columns), std::move(masks));
  try {
    validate(g);
  } catch (invalid_argument const& refusal) {
    file.fail(refusal.what());
  }
  return g;
}

}  // namespace edgewise::inline v0
