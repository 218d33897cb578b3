// Checks of untrusted device graphs.
#pragma once

#include <edgewise/format/copy.cuh>
#include <edgewise/format/validate.hpp>

namespace edgewise::inline v0 {

/// Checks a graph in device memory as `validate` does one in host memory, with the same messages: it copies the arrays
/// to the host and checks them there. Synchronises `exec.stream`. Throws `invalid_argument` or `cuda_error`.
template <graph_view View>
void validate(cuda const& exec, View const& view) {
  validate(to_host(exec, view));
}
template <graph_container Container>
void validate(cuda const& exec, Container const& container) {
  detail::require_same_space<cuda, Container>();
  validate(exec, container.view());
}
template <class Format>
void validate(cuda const& exec, graph<Format> const& g) {
  validate(exec, g.first);
}
template <class Index, class Offset>
void validate(cuda const& exec, graph<csr_view<Index, Offset>, csc_view<Index, Offset>> const& g) {
  auto const by_destination = to_host(exec, g.first);
  auto const by_source = to_host(exec, g.second);
  validate(graph{by_destination, by_source});
}

template <class Format, class Index, class Offset>
void validate(cuda const& exec, graph<Format, typed_edges_view<Index, Offset>> const& g) {
  auto const first = to_host(exec, g.first);
  auto const types = to_host(exec, g.types);
  validate(graph{first, types});
}
template <class First, class Second, class Index, class Offset>
void validate(cuda const& exec, graph<First, Second, typed_edges_view<Index, Offset>> const& g) {
  auto const first = to_host(exec, g.first);
  auto const second = to_host(exec, g.second);
  auto const types = to_host(exec, g.types);
  validate(graph{first, second, types});
}

}  // namespace edgewise::inline v0
