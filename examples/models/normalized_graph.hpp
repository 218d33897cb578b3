// A square graph in the context's memory with the degree factors of a symmetrically normalised adjacency.
#pragma once

#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/normalize.hpp>

#include "models/square_graph.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {

/// Both groupings of a graph and, per vertex, 1 / sqrt(1 + in-degree) and 1 / sqrt(1 + out-degree): the 1 is a self
/// loop that no format stores. On an undirected graph the two factors are equal. HasIds: edge ids are kept, which
/// messages that drop by edge need; else nothing is read by edge, since the factors belong to vertices.
template <class T, class Context, bool HasIds = false>
class normalized_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings of the same edges. Synchronises. Throws what `square_graph` does.
  normalized_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : groupings_(context, with_ids_if_kept(by_destination), with_ids_if_kept(by_source)) {
    auto const factors = normalize_vertices<T>(cpu{}, by_destination,
                                               {.mode = normalization::both, .self_loop = virtual_self_loop::present});
    destination_factor_ = uploaded(context, groupings_.own_rows(factors.destination));
    source_factor_ = uploaded(context, groupings_.own_rows(factors.source));
    context.synchronize();
  }

  std::int64_t num_vertices() const { return groupings_.num_vertices(); }
  square_graph<Context> const& groupings() const { return groupings_; }

  /// Both groupings as kernels see them.
  decltype(auto) view() const { return groupings_.view(); }
  /// 1 / sqrt(1 + in-degree), [V].
  T const* destination_factor() const { return destination_factor_.data(); }
  /// 1 / sqrt(1 + out-degree), [V].
  T const* source_factor() const { return source_factor_.data(); }

private:
  template <class View>
  static View with_ids_if_kept(View view) {
    if (!HasIds) view.edge_ids = nullptr;
    return view;
  }

  square_graph<Context> groupings_;
  buffer<T, space> destination_factor_;
  buffer<T, space> source_factor_;
};

}  // namespace edgewise::models
