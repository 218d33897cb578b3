// Test graphs as tiles: rows sorted, windows of 16, on any machine.
#pragma once

#include <vector>

#include <edgewise/format/to_wsb.hpp>
#include <edgewise/mapping/tensor_core.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// The arrays of a wsb on a machine.
template <class Machine, class Rows>
class uploaded_wsb {
  using index_type = typename Rows::index_type;
  using offset_type = typename Rows::offset_type;
  template <class T>
  using array = decltype(std::declval<Machine const&>().upload(std::declval<std::vector<T>>()));

public:
  uploaded_wsb(Machine const& machine, Rows const& rows, wsb_options const& options)
      : uploaded_wsb(machine, to_wsb(cpu{}, rows, options)) {}

  wsb_view<Rows> view() const {
    auto view = view_;
    view.offsets = offsets_.data();
    view.neighbors = neighbors_.data();
    if (view.edge_ids) view.edge_ids = ids_.data();
    view.window_tiles = window_tiles_.data();
    view.columns = columns_.data();
    view.masks = masks_.data();
    return view;
  }

private:
  template <class Wsb>
  uploaded_wsb(Machine const& machine, Wsb const& made)
      : view_(made.view()),
        offsets_(machine.upload(copy(made.rows().offsets()))),
        neighbors_(machine.upload(copy(made.rows().neighbors()))),
        ids_(machine.upload(copy(made.rows().edge_ids()))),
        window_tiles_(machine.upload(copy(made.window_tiles()))),
        columns_(machine.upload(copy(made.columns()))),
        masks_(machine.upload(copy(made.masks()))) {}
  template <class Buffer>
  static auto copy(Buffer const& buffer) {
    return std::vector(buffer.begin(), buffer.end());
  }

  wsb_view<Rows> view_;
  array<offset_type> offsets_;
  array<index_type> neighbors_;
  array<offset_type> ids_;
  array<offset_type> window_tiles_;
  array<index_type> columns_;
  array<std::uint16_t> masks_;
};

/// Edges of a test graph in tiles, as `grouped_edges` has them in rows. least_reuse: as in `wsb_options`.
template <class Mapping>
struct tiled_edges {
  Mapping mapping = {};
  double least_reuse = 0;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const& machine, test_graph const& edges, F const& f) const {
    auto const by_destination = edges.by_destination.with_offsets<Offset>();
    auto const by_source = edges.by_source.with_offsets<Offset>();
    uploaded_wsb<Machine, csr_view<int, Offset>> const rows(machine, edges.csr_of(by_destination), {least_reuse});
    uploaded_wsb<Machine, csc_view<int, Offset>> const columns(machine, edges.csc_of(by_source), {least_reuse});
    return f(graph{rows.view(), columns.view()}, mapping);
  }
};

}  // namespace edgewise::testing
