// One R-GCN layer without its self edges, out_v = sum_{type, u -> v} norm x_u W_type, in both orders.
#pragma once

#include <edgewise/edgewise.hpp>

#include <cstdint>

#include "harness/random_value.hpp"

namespace edgewise::bench {

namespace typed_layer {

struct x;     // [rows, inputs]
struct norm;  // [E]
struct W;     // [types * inputs, outputs]

inline constexpr auto rows_of_sources = gather<sum>(src<x>);
inline constexpr auto transform_and_gather = gather<sum>(edge<norm> * linear<W>(src<x>));
inline constexpr auto gather_and_transform = linear<W>(gather<sum>(edge<norm> * src<x>));

/// What a layer reads and writes, in the space of its engine. T: float or double.
template <class T>
struct arrays {
  T const* x = nullptr;         // [V, inputs]
  T const* norm = nullptr;      // [E]
  T const* matrices = nullptr;  // [types, inputs, outputs]
  T const* adjoint = nullptr;   // [V, outputs]
  T* out = nullptr;             // [V, outputs]
  T* grad_x = nullptr;
  T* grad_matrices = nullptr;
  T* pairs = nullptr;  // [pairs, the width of what is kept for pairs]
  T* grad_pairs = nullptr;
  std::int64_t vertices = 0, edges = 0, num_pairs = 0, types = 0;
  int inputs = 0, outputs = 0;
};

template <class T>
auto bind_norm_and_rows(arrays<T> const& a, T const* rows, std::int64_t count, int width) {
  return bindings(bind<norm>(constant_rows(per_row(a.norm, a.edges))), bind<x>(wide(rows, count, width)));
}
template <class T, class Set, class Types>
auto with_matrices(arrays<T> const& a, Set const& in, Types const& types) {
  return bindings(get<0>(in.items), get<1>(in.items),
                  bind<W>(by_type(wide(a.matrices, a.types * a.inputs, a.outputs), types)));
}

/// A plan and what it keeps.
template <class Exec, class Kernel, class Set>
struct stage {
  using plan_type = decltype(std::declval<Kernel>().plan(std::declval<Exec>(), std::declval<Set>()));
  Set in;
  plan_type plan;
  decltype(std::declval<plan_type>().make_saved(std::declval<Exec>())) saved;

  stage(Exec const& exec, Kernel const& kernel, Set const& bound)
      : in(bound), plan(kernel.plan(exec, bound)), saved(plan.make_saved(exec)) {}
};
template <class Exec, class Kernel, class Set>
auto make_stage(Exec const& exec, Kernel const& kernel, Set const& in) {
  return stage<Exec, Kernel, Set>(exec, kernel, in);
}

/// Each pair of type and source is multiplied once; edges gather the products. Edges, members: graphs of pairs by
/// source.
template <class Exec, class Edges, class Members, class Types, class T>
auto make_transform_first(Exec const& exec, Edges const& edges, Members const& members, Types const& types,
                          arrays<T> const& a) {
  T const* const rows = a.pairs;
  auto copies =
      make_stage(exec, fuse(members, automatic{}, rows_of_sources), bindings(bind<x>(wide(a.x, a.vertices, a.inputs))));
  auto sums = make_stage(exec, fuse(edges, automatic{}, transform_and_gather),
                         with_matrices(a, bind_norm_and_rows(a, rows, a.num_pairs, a.inputs), types));
  return [copies = std::move(copies), sums = std::move(sums), a](Exec const& now) mutable {
    auto const pairs = wide(a.pairs, a.num_pairs, a.inputs);
    auto const grad_pairs = wide(a.grad_pairs, a.num_pairs, a.inputs);
    copies.plan.forward(now, copies.in, out(pairs), copies.saved);
    sums.plan.forward(now, sums.in, out(wide(a.out, a.vertices, a.outputs)), sums.saved);
    sums.plan.backward(now, sums.in, sums.saved, grad_out(wide(a.adjoint, a.vertices, a.outputs)), grad<x>(grad_pairs),
                       grad<W>(wide(a.grad_matrices, a.types * a.inputs, a.outputs)));
    copies.plan.backward(now, copies.in, copies.saved, grad_out(grad_pairs),
                         grad<x>(wide(a.grad_x, a.vertices, a.inputs)));
  };
}

/// Each pair of type and destination sums its edges, and is multiplied; vertices sum their pairs. Edges, members:
/// graphs of pairs by destination.
template <class Exec, class Edges, class Members, class Types, class T>
auto make_aggregate_first(Exec const& exec, Edges const& edges, Members const& members, Types const& types,
                          arrays<T> const& a) {
  T const* const rows = a.pairs;
  auto sums = make_stage(exec, fuse(edges, automatic{}, gather_and_transform),
                         with_matrices(a, bind_norm_and_rows(a, a.x, a.vertices, a.inputs), types));
  auto totals = make_stage(exec, fuse(members, automatic{}, rows_of_sources),
                           bindings(bind<x>(wide(rows, a.num_pairs, a.outputs))));
  return [sums = std::move(sums), totals = std::move(totals), a](Exec const& now) mutable {
    auto const pairs = wide(a.pairs, a.num_pairs, a.outputs);
    auto const grad_pairs = wide(a.grad_pairs, a.num_pairs, a.outputs);
    sums.plan.forward(now, sums.in, out(pairs), sums.saved);
    totals.plan.forward(now, totals.in, out(wide(a.out, a.vertices, a.outputs)), totals.saved);
    totals.plan.backward(now, totals.in, totals.saved, grad_out(wide(a.adjoint, a.vertices, a.outputs)),
                         grad<x>(grad_pairs));
    sums.plan.backward(now, sums.in, sums.saved, grad_out(grad_pairs), grad<x>(wide(a.grad_x, a.vertices, a.inputs)),
                       grad<W>(wide(a.grad_matrices, a.types * a.inputs, a.outputs)));
  };
}

}  // namespace typed_layer
}  // namespace edgewise::bench
