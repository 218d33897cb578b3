// Plain text lists of edges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>

#include <edgewise/io/text_file.hpp>
#include <edgewise/io/weighted_edges.hpp>

namespace edgewise {

/// `num_vertices`: -1 means one more than the largest id; `first_id`: the id in the file of vertex 0.
struct edge_list_options {
  edge_direction direction = edge_direction::as_listed;
  std::int64_t num_vertices = -1;
  std::int64_t first_id = 0;
};

/// The graph in a text file of one edge a line: source, destination, and a weight on every line or on none, separated
/// by spaces, tabs, commas or semicolons. Lines that are empty or begin with # or % are skipped. Both sides are the
/// same vertices; edges come in the order of the file. Throws `io_error` naming file and line, and returns nothing
/// then.
template <class Index = std::int32_t, class Offset = std::int32_t>
weighted_edges<Index, Offset> read_edge_list(std::filesystem::path const& path, edge_list_options options = {}) {
  detail::text_file file(path, " \t,;");
  detail::edge_collector<Index> edges;
  std::int64_t const limit =
      options.num_vertices >= 0 ? options.num_vertices : std::int64_t{std::numeric_limits<Index>::max()};
  std::int64_t num_vertices = 0;
  std::size_t num_fields = 0;  // of every line, as the first has it
  auto const vertex = [&](std::size_t field, char const* what) {
    auto const id = file.number<std::int64_t>(field, what);
    if (id < options.first_id || id - options.first_id >= limit) {
      file.fail(
          detail::text(what, " is ", id, ", must be in [", options.first_id, ", ", options.first_id + limit, ")"));
    }
    num_vertices = std::max(num_vertices, id - options.first_id + 1);
    return id - options.first_id;
  };
  while (file.next_line_with_fields("#%")) {
    auto const size = file.fields().size();
    if (num_fields == 0) {
      if (size != 2 && size != 3) file.fail(detail::text("has ", size, " fields, must have 2 or 3"));
      num_fields = size;
    }
    if (size != num_fields) {
      file.fail(detail::text("has ", size, " fields, the lines before have ", num_fields));
    }
    auto const source = vertex(0, "the source");
    auto const destination = vertex(1, "the destination");
    bool const mirrored = options.direction == edge_direction::both && source != destination;
    if (num_fields == 3) {
      auto const weight = file.number<double>(2, "the weight");
      edges.add(source, destination, weight);
      if (mirrored) edges.add(destination, source, weight);
    } else {
      edges.add(source, destination);
      if (mirrored) edges.add(destination, source);
    }
  }
  return edges.template take<Offset>(vertices(options.num_vertices >= 0 ? options.num_vertices : num_vertices));
}

}  // namespace edgewise
