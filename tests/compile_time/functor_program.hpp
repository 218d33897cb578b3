// A user's functor, planned, run forward and backward: what compile times and instantiation counts are measured on.
#pragma once

#include <edgewise/edgewise.hpp>

namespace compile_time {

namespace ew = edgewise;

struct h;
struct w;

struct gate {
  static constexpr char const* name = "gate";
  float sharpness;
  template <class T>
  EDGEWISE_HD T operator()(T x, T weight) const {
    return x / (T(1) + ew::exp(-sharpness * weight * x));
  }
};

using groupings = ew::graph<ew::csr_view<int, int>, ew::csc_view<int, int>>;

template <class Exec, class Extents = ew::any_extents>
void run(Exec const& exec, groupings const& g, int vertices, int edges, int channels, float* data, Extents = {}) {
  auto const rows = ew::wide(data, vertices, channels);
  auto const weights = ew::per_row(data, edges);
  auto const in = ew::bindings(ew::bind<h>(rows), ew::bind<w>(weights));
  auto const program = ew::gather<ew::sum>(ew::apply(gate{2}, ew::src<h>, ew::edge<w>));
  auto const plan = ew::fuse(g, ew::automatic{}, program, Extents{}).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(rows), saved);
  plan.backward(exec, in, saved, ew::grad_out(rows), ew::grad<h>(rows), ew::grad<w>(weights));
}

}  // namespace compile_time
