// Inner products of edges: all groups that form one, and those that add to the products of earlier tiles.
#include <edgewise/edgewise.cuh>

struct l;
struct r;

void edge_dot(edgewise::graph<edgewise::csr_view<int, int>> const& g, int vertices, int edges, int channels,
              float* data) {
  namespace ew = edgewise;
  auto const rows = ew::wide(data, vertices, channels);
  auto const in = ew::bindings(ew::bind<l>(rows), ew::bind<r>(rows));
  ew::fuse(g, ew::automatic{}, ew::scatter(ew::dot(ew::dst<l>, ew::src<r>)))
      .plan(ew::cuda{}, in)
      .forward(ew::cuda{}, in, ew::out(ew::per_head(data, edges, 1)));
}
