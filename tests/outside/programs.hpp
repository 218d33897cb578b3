// Programs over the operation, the node and the gather from outside the library, for hosts and devices to run.
#pragma once

#include <vector>

#include "detached.hpp"
#include "equal_pieces.hpp"
#include "log_sum_exp.hpp"
#include "neighbor_lists.hpp"
#include "short_pieces.hpp"
#include "squared_difference.hpp"
#include "support/test_graph.hpp"

namespace outside {

struct x;
struct w;

inline constexpr auto distances =
    ew::gather<ew::sum>(detached(ew::dst<x>) * squared_distance_of(ew::src<x>, ew::dst<x>));
inline constexpr auto smooth_maximum = ew::gather<log_sum_exp>(ew::edge<w> * ew::src<x>);

/// Operands by vertex [V, channels] and by edge [E], and the adjoint of the output [V, channels].
struct operands {
  int channels;
  std::vector<double> x;
  std::vector<double> w;
  std::vector<double> dout;
};
/// Output, and the gradients of x and w (w: of `smooth_maximum` alone).
struct results {
  std::vector<double> out;
  std::vector<double> dx;
  std::vector<double> dw;
};

/// The same pointers on host or device, where results are to go and operands lie.
struct pointers {
  double const* x;
  double const* w;
  double const* dout;
  double* out;
  double* dx;
  double* dw;
};

/// Runs `distances` forward and backward; asynchronous on a device.
template <class Exec, class Graph, class Mapping = ew::automatic>
void run_distances(Exec const& exec, Graph const& graph, int num_vertices, int channels, pointers const& p,
                   Mapping const& mapping = {}) {
  auto const in = ew::bindings(ew::bind<x>(ew::wide(p.x, num_vertices, channels)));
  auto const plan = ew::fuse(graph, mapping, distances).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(ew::wide(p.out, num_vertices, channels)), saved);
  plan.backward(exec, in, saved, ew::grad_out(ew::wide(p.dout, num_vertices, channels)),
                ew::grad<x>(ew::wide(p.dx, num_vertices, channels)));
}

/// Runs `smooth_maximum` forward and backward; asynchronous on a device.
template <class Exec, class Graph, class Mapping = ew::automatic>
void run_smooth_maximum(Exec const& exec, Graph const& graph, int num_vertices, int num_edges, int channels,
                        pointers const& p, Mapping const& mapping = {}) {
  auto const in =
      ew::bindings(ew::bind<x>(ew::wide(p.x, num_vertices, channels)), ew::bind<w>(ew::per_row(p.w, num_edges)));
  auto const plan = ew::fuse(graph, mapping, smooth_maximum).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(ew::wide(p.out, num_vertices, channels)), saved);
  plan.backward(exec, in, saved, ew::grad_out(ew::wide(p.dout, num_vertices, channels)),
                ew::grad<x>(ew::wide(p.dx, num_vertices, channels)), ew::grad<w>(ew::per_row(p.dw, num_edges)));
}

}  // namespace outside
