// Graphs of views beside containers.
#include <type_traits>

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise {

template <class... Format>
using graph_of = decltype(graph{std::declval<Format const&>()...});

static_assert(std::is_same_v<graph_of<csr_view<>, csc<>>, graph<csr_view<>, csc_view<>>>);
static_assert(std::is_same_v<graph_of<csr<>, csc_view<>>, graph<csr_view<>, csc_view<>>>);
static_assert(std::is_same_v<graph_of<csr<>, csc<>>, graph<csr_view<>, csc_view<>>>);
static_assert(std::is_same_v<graph_of<csr<>, typed_edges_view<>>, graph<csr_view<>, typed_edges_view<>>>);
static_assert(std::is_same_v<graph_of<csr_view<>, typed_edges<>>, graph<csr_view<>, typed_edges_view<>>>);
static_assert(
    std::is_same_v<graph_of<csr<>, csc_view<>, typed_edges_view<>>, graph<csr_view<>, csc_view<>, typed_edges_view<>>>);
static_assert(
    std::is_same_v<graph_of<csr_view<>, csc_view<>, typed_edges<>>, graph<csr_view<>, csc_view<>, typed_edges_view<>>>);

}  // namespace edgewise
