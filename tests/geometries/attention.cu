// Attention with its score an inner product, with its backward pass, and in 16 bits: groups that sum over heads.
#include <edgewise/edgewise.cuh>

struct q;
struct k;
struct v;

using groupings = edgewise::graph<edgewise::csr_view<int, int>, edgewise::csc_view<int, int>>;

template <class T, bool HasBackward>
void attention(groupings const& g, int vertices, int heads, int channels, T* data) {
  namespace ew = edgewise;
  auto const rows = ew::wide(data, vertices, heads, channels);
  auto const in = ew::bindings(ew::bind<q>(rows), ew::bind<k>(rows), ew::bind<v>(rows));
  auto const message = ew::softmax(ew::dot(ew::dst<q>, ew::src<k>)) * ew::src<v>;
  auto const plan = ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(message)).plan(ew::cuda{}, in);
  auto saved = plan.make_saved(ew::cuda{});
  plan.forward(ew::cuda{}, in, ew::out(rows), saved);
  if constexpr (HasBackward) {
    plan.backward(ew::cuda{}, in, saved, ew::grad_out(rows), ew::grad<q>(rows), ew::grad<k>(rows), ew::grad<v>(rows));
  }
}

template void attention<float, true>(groupings const&, int, int, int, float*);
template void attention<edgewise::float16, false>(groupings const&, int, int, int, edgewise::float16*);
