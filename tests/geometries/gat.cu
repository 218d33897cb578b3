// Attention with scores of one number per head, one per thread, in float and in bfloat16.
#include <edgewise/edgewise.cuh>

struct el;
struct er;
struct h;

template <class T>
void gat(edgewise::graph<edgewise::csr_view<int, int>> const& g, int vertices, int heads, int channels, T* data) {
  namespace ew = edgewise;
  auto const rows = ew::wide(data, vertices, heads, channels);
  auto const numbers = ew::per_head(data, vertices, heads);
  auto const in = ew::bindings(ew::bind<el>(numbers), ew::bind<er>(numbers), ew::bind<h>(rows));
  auto const message = ew::softmax(ew::leaky_relu(ew::src<el> + ew::dst<er>, 0.2)) * ew::src<h>;
  ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(message))
      .plan(ew::cuda{}, in)
      .forward(ew::cuda{}, in, ew::out(rows));
}

template void gat<float>(edgewise::graph<edgewise::csr_view<int, int>> const&, int, int, int, float*);
template void gat<edgewise::bfloat16>(edgewise::graph<edgewise::csr_view<int, int>> const&, int, int, int,
                                      edgewise::bfloat16*);
