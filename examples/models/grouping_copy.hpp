// A grouping of edges in the context's memory.
#pragma once

#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>

namespace edgewise::models {

/// Owns a copy of a csr or csc, with edge ids where the original has them. `View`: `csr_view<>` or `csc_view<>`.
template <class Context, class View>
class grouping_copy {
public:
  /// Copies what `host` views. Does not wait for the copies.
  grouping_copy(Context const& context, View const& host) : view_(host) {
    // Views of a graph without vertices may have null offsets; one zero stands for them.
    static constexpr std::int32_t zero = 0;
    view_.offsets = copy(context, host.num_rows == 0 ? &zero : host.offsets, std::int64_t{host.num_rows} + 1, offsets_);
    view_.neighbors = copy(context, host.neighbors, host.num_edges, neighbors_);
    if (host.edge_ids != nullptr) view_.edge_ids = copy(context, host.edge_ids, host.num_edges, edge_ids_);
  }

  /// The copy as kernels see it.
  View const& view() const { return view_; }

private:
  using array = buffer<std::int32_t, typename Context::space>;

  static std::int32_t const* copy(Context const& context, std::int32_t const* host, std::int64_t size, array& to) {
    to = context.template make_buffer<std::int32_t>(size);
    context.upload(host, size, to.data());
    return to.data();
  }

  View view_;
  array offsets_;
  array neighbors_;
  array edge_ids_;
};

}  // namespace edgewise::models
