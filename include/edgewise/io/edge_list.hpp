// Plain text lists of edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>

#include <edgewise/core/error.hpp>
#include <edgewise/format/vertex_counts.hpp>
#include <edgewise/io/text_file.hpp>
#include <edgewise/io/weighted_edges.hpp>

namespace edgewise::inline v0 {

/// `num_vertices`: -1 means one more than the largest id; `first_id`: the id in the file of vertex 0, of any sign;
/// `non_finite`: whether weights may be NaN or infinite.
struct edge_list_options {
  edge_direction direction = edge_direction::as_listed;
  std::int64_t num_vertices = -1;
  std::int64_t first_id = 0;
  non_finite_numbers non_finite = non_finite_numbers::refuse;
};

namespace detail {

/// Which ids of the file are vertices, and which.
struct vertex_ids {
  std::int64_t first;
  std::int64_t count;

  /// The vertex of an id. The difference is taken without signs: of two 64-bit numbers it may need 64 bits.
  std::int64_t vertex(text_file const& file, std::size_t field, char const* what) const {
    auto const id = file.integer<std::int64_t>(field, what);
    auto const distance = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first);
    if (id >= first && distance < static_cast<std::uint64_t>(count)) return static_cast<std::int64_t>(distance);
    if (first > 0 && count > std::numeric_limits<std::int64_t>::max() - first) {
      file.fail(text(what, " is ", id, ", must be at least ", first));
    }
    file.fail(text(what, " is ", id, ", must be in [", first, ", ", first + count, ")"));
  }
};

}  // namespace detail

/// The graph in a text file of one edge per line: source, destination, and a weight on every line or on none, separated
/// by spaces, tabs, commas or semicolons. Lines that are empty or begin with # or % are skipped. Both sides are the
/// same vertices; edges come in the order of the file. A weight is rounded to the nearest Weight, float or double, to 0
/// where it is too small for one; a weight that is NaN, infinite or too large is refused unless the options accept it.
/// Throws `io_error` naming file and line, and returns nothing then; `invalid_argument` for counts that Index or Offset
/// cannot hold.
template <class Index = std::int32_t, class Offset = std::int32_t, class Weight = double>
weighted_edges<Index, Offset, Weight> read_edge_list(std::filesystem::path const& path,
                                                     edge_list_options options = {}) {
  detail::text_file file(path, " \t,;");
  detail::edge_collector<Index, Weight> edges;
  if (options.num_vertices < -1) {
    throw invalid_argument(
        detail::text("read_edge_list: num_vertices = ", options.num_vertices, ", must be -1 or not negative"));
  }
  bool const counted = options.num_vertices >= 0;
  if (counted) detail::checked_count<Index>("read_edge_list", "num_vertices", options.num_vertices);
  detail::vertex_ids const ids{options.first_id,
                               counted ? options.num_vertices : std::int64_t{std::numeric_limits<Index>::max()}};
  std::int64_t num_vertices = 0;
  std::size_t num_fields = 0;  // of every line, as the first has it
  while (file.next_line_with_fields("#%")) {
    auto const size = file.fields().size();
    if (num_fields == 0) {
      if (size != 2 && size != 3) file.fail(detail::text("has ", size, " fields, must have 2 or 3"));
      num_fields = size;
    }
    if (size != num_fields) {
      file.fail(detail::text("has ", size, " fields, the lines before have ", num_fields));
    }
    auto const source = ids.vertex(file, 0, "the source");
    auto const destination = ids.vertex(file, 1, "the destination");
    num_vertices = std::max({num_vertices, source + 1, destination + 1});
    bool const mirrored = options.direction == edge_direction::both && source != destination;
    if (num_fields == 3) {
      auto const weight = file.real<Weight>(2, "the weight", options.non_finite);
      edges.add(source, destination, weight);
      if (mirrored) edges.add(destination, source, weight);
    } else {
      edges.add(source, destination);
      if (mirrored) edges.add(destination, source);
    }
  }
  return edges.template take<Offset>(vertices(counted ? options.num_vertices : num_vertices));
}

}  // namespace edgewise::inline v0
