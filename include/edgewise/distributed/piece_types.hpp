// The types of the edges of a piece of a part, and its edges by type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/list_operations.hpp>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0::detail {

/// Of the edge at each position its type, and by its id its source.
template <class Index, class Offset>
struct list_edges_of_rows {
  Index const* neighbors;
  Offset const* ids;
  Index const* types;
  Index* type_at;
  Index* source_of;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    std::int64_t const id = ids ? static_cast<std::int64_t>(ids[k]) : k;
    type_at[k] = types[id];
    source_of[id] = neighbors[k];
  }
};
template <class Index, class Offset>
struct find_sources {
  Offset const* ids;
  Index const* source_of;
  Index* sources;

  EDGEWISE_HD void operator()(std::int64_t k) const { sources[k] = source_of[ids[k]]; }
};

/// In the memory where passes run. Rows whose neighbors are the types of their edges, turned around, are the edges of
/// each type.
template <class Exec, class Index, class Offset>
class piece_types {
  using memory = part_memory<Exec>;

public:
  piece_types() = default;
  /// types: of the piece's edges, by id, in host memory. What passes read is there when the stream is done.
  piece_types(Exec const& exec, csr_view<Index, Offset> const& rows, std::span<Index const> types, Index num_types)
      : edge_types_(memory::template make<Index>(exec, types.size())),
        sources_(memory::template make<Index>(exec, types.size())) {
    memory::copy(exec, types, edge_types_.data());
    auto const num_edges = static_cast<std::int64_t>(types.size());
    auto type_at = memory::template make_passing<Index>(exec, types.size());
    auto source_of = memory::template make_passing<Index>(exec, types.size());
    for_each_element(exec, num_edges,
                     list_edges_of_rows<Index, Offset>{rows.neighbors, rows.edge_ids, edge_types_.data(),
                                                       type_at.data(), source_of.data()});
    csr_view<Index, Offset> types_of_rows = rows;
    types_of_rows.neighbors = type_at.data();
    types_of_rows.num_neighbors = num_types;
    by_type_ = to_csc(exec, types_of_rows);
    for_each_element(exec, num_edges,
                     find_sources<Index, Offset>{by_type_.edge_ids().data(), source_of.data(), sources_.data()});
  }

  typed_edges_view<Index, Offset> view(Index num_sources) const {
    typed_edges_view<Index, Offset> edges;
    static_cast<grouping_view<Index, Offset>&>(edges) = by_type_.view();
    edges.edge_types = edge_types_.data();
    edges.far_ends = sources_.data();
    edges.source_count = num_sources;
    return edges;
  }

private:
  csc<Index, Offset, typename Exec::space> by_type_;
  buffer<Index, typename Exec::space> edge_types_;  // by id
  buffer<Index, typename Exec::space> sources_;     // by type
};

}  // namespace edgewise::inline v0::detail
