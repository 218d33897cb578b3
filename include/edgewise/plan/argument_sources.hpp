// The sources of the edges that a max or min took, for those who know edges by their csr alone.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// Finds the source of the i-th argument: at the position that is its id, or else among the edges of its row.
template <class Index, class Offset>
struct find_source {
  grouping_view<Index, Offset> edges;
  Offset const* arguments;
  std::int64_t argument_row_stride;
  Index* sources;
  std::int64_t source_row_stride;
  std::int64_t row_size;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    std::int64_t const row = i / row_size;
    std::int64_t const element = i - row * row_size;
    sources[row * source_row_stride + element] =
        of_edge(static_cast<Index>(row), arguments[row * argument_row_stride + element]);
  }

private:
  EDGEWISE_HD Index of_edge(Index row, Offset id) const {
    if (id < 0) return Index(-1);
    if (id >= edges.num_edges) return row;  // the virtual self edge
    if (edges.edge_ids == nullptr) return edges.neighbors[id];
    for (Offset k = edges.offsets[row]; k < edges.offsets[row + 1]; ++k) {
      if (edges.edge_ids[k] == id) return edges.neighbors[k];
    }
    return Index(-1);
  }
};

}  // namespace detail

/// sources = the source of each edge in `argument`, which is `saved.argument()` of a `max` or `min` over g: -1 in rows
/// without edges, the vertex itself for its virtual self edge. Shapes: argument and sources [destinations, ...] of the
/// kind of the gather's value. Where edges have ids of their own each element searches its row of g. Asynchronous on
/// the stream of `exec`, allocates nothing. Throws `invalid_argument` where a shape differs.
template <class Exec, class... Formats, class Offset, class Index, operand_kind Kind>
void argument_sources(Exec const& exec, graph<Formats...> const& g, operand_view<Offset const, Kind> const& argument,
                      output<operand_view<Index, Kind>> const& sources) {
  using traits = detail::graph_traits<graph<Formats...>>;
  static_assert(
      std::is_same_v<Offset, typename traits::offset_type> && std::is_same_v<Index, typename traits::index_type>,
      "argument_sources: the argument has the graph's offset type, sources are of its index type");
  std::int64_t const rows = traits::counts(g).destinations;
  detail::check_view(argument, rows, "destinations", [] { return std::string("argument_sources: argument"); });
  detail::check_output(sources.view, {argument.heads, argument.channels}, rows, "argument_sources");
  using site_type = typename detail::engine<Exec>::site;
  site_type site(exec, "argument_sources");
  typename site_type::scope call(site, exec, "argument_sources");
  detail::check_graph_arrays(call, g);
  detail::check_view_array(call, argument, "argument_sources: argument");
  detail::check_view_array(call, sources.view, "argument_sources: sources");
  std::int64_t const row_size = argument.row_size();
  detail::find_source<Index, Offset> const find{traits::by_destination(g), argument.data,           argument.row_stride,
                                                sources.view.data,         sources.view.row_stride, row_size};
  detail::coo_engine<Exec>::for_each_element(exec, find, rows * row_size);
}

}  // namespace edgewise::inline v0
