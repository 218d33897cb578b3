// Particle tracking: an interaction network scores candidate edges between hits by whether they are part of a track.
// Sources: Battaglia et al. 2016, arXiv:1612.00222; DeZoort et al. 2021, arXiv:2103.16701.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <edgewise/edgewise.hpp>

namespace tracking {

namespace ew = edgewise;

struct x;   // hits: r, phi, z [V, 3]
struct R1;  // relational model [3 + 3, width], and its bias
struct b1;
struct O;  // object model [3 + width, width], and its bias
struct bO;
struct R2;  // edge classifier [width + width, width], and its bias
struct b2;
struct w;  // its last layer [1, width], and a number
struct b;

// [begin program]
inline constexpr auto message = ew::relu(ew::linear<R1>(ew::concat(ew::src<x>, ew::dst<x>)) + ew::param<b1>);
inline constexpr auto updated =
    ew::relu(ew::linear<O>(ew::concat(ew::dst<x>, ew::gather<ew::sum>(message))) + ew::param<bO>);
inline constexpr auto both_ends = ew::concat(ew::at_source(updated), ew::at_destination(updated));
inline constexpr auto logit = ew::dot(ew::param<w>, ew::relu(ew::linear<R2>(both_ends) + ew::param<b2>)) + ew::param<b>;

inline constexpr auto logits = ew::scatter(logit);  // what training takes
inline constexpr auto scores = ew::scatter(ew::sigmoid(logit));
// [end program]

inline constexpr int width = 16;

/// Views of all parameters, or of their gradients, which lie side by side in one array.
template <class T>
struct parameters {
  static constexpr int size = (6 + 1 + 3 + width + 1 + 2 * width + 1 + 1) * width + 1;
  T* next;
  auto take(int rows) { return ew::wide((next += rows * width) - rows * width, rows, width); }
  using matrix = decltype(ew::wide(next, 1, 1));
  matrix R1 = take(6), b1 = take(1), O = take(3 + width), bO = take(1), R2 = take(2 * width), b2 = take(1), w = take(1);
  decltype(ew::per_row(next, 1)) b = ew::per_row(next, 1);
};

inline auto bind_all(float const* hits, std::int64_t num_hits, parameters<float const> const& p) {
  return ew::bindings(ew::bind<x>(ew::wide(hits, num_hits, 3)), ew::bind<R1>(p.R1), ew::bind<b1>(p.b1),
                      ew::bind<O>(p.O), ew::bind<bO>(p.bO), ew::bind<R2>(p.R2), ew::bind<b2>(p.b2), ew::bind<w>(p.w),
                      ew::bind<b>(p.b));
}

// [begin score_edges]
/// A view of an edge index [2, E], a row of sources and a row of destinations.
inline auto view_edges(std::int64_t num_hits, std::int64_t const* edge_index, std::int64_t num_edges) {
  std::span const sources(edge_index, static_cast<std::size_t>(num_edges));
  std::span const destinations(edge_index + num_edges, sources.size());
  return ew::view_coo<std::int64_t>(ew::vertices(num_hits), sources, destinations);
}

/// Writes the score of every edge, in (0, 1), to `result` [E]; all arrays are in the memory of `exec`, cpu or cuda.
template <class Executor>
void score_edges(Executor const& exec, float const* hits, std::int64_t num_hits, std::int64_t const* edge_index,
                 std::int64_t num_edges, float const* values, float* result) {
  auto const csr = ew::to_csr(exec, view_edges(num_hits, edge_index, num_edges));
  auto const in = bind_all(hits, num_hits, {values});
  auto const plan = ew::fuse(ew::graph{csr}, ew::automatic{}, scores).plan(exec, in);
  plan.forward(exec, in, ew::out(ew::per_head(result, num_edges, 1)));
}
// [end score_edges]

}  // namespace tracking
