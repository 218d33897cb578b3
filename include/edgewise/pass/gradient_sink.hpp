// Where pulled adjoints go: sums over a row for its own vertex, one store per edge, sums over all edges for parameters.
#pragma once

#include <edgewise/pass/environment.hpp>
#include <edgewise/program/handed_softmax.hpp>

namespace edgewise::inline v0 {

namespace detail {

template <class Pass>
concept forms_gradients = requires(Pass& pass) {
  pass.gradients;
};

EDGEWISE_HD constexpr extent partial_extent(operand_kind kind) {
  switch (extent_of_kind(kind)) {
    case extent::narrow:
      return extent::narrow_partial;
    case extent::uniform:
      return extent::uniform_partial;
    default:
      return extent::wide;
  }
}

/// Takes what is still open of a sum of adjoints of an operand of kind Kind: over threads, and over heads where the
/// operand is per channel, since its sums stay apart by head as long as they grow.
template <operand_kind Kind, class Geometry, class V>
EDGEWISE_HD auto complete_sum(Geometry const& geo, V const& sum) {
  if constexpr (Kind == operand_kind::per_channel) {
    V whole;
    for_each_lanes<V>(geo, [&](int b, int c, auto l) { whole.at(b, c, l) = sum.at(b, c, l); });
    geo.sum_over_heads_in_place(whole);
    return whole;
  } else {
    return complete(geo, sum);
  }
}

/// The extent of a sum of adjoints of a bound leaf: threads have parts of it, but for what is handed over, which is
/// whole.
template <class Bound>
inline constexpr extent extent_of_sum = is_handed_leaf<typename Bound::leaf> ? extent_of_kind(Bound::kind)
                                                                             : partial_extent(Bound::kind);

/// Sums of adjoints for a list of bound leaves, each thread its own part; Edges = 1 for sums over edges.
template <class Geometry, class Accumulator, int Edges, class Table>
struct adjoint_sums;
template <class Geometry, class Accumulator, int Edges, class... Bound>
struct adjoint_sums<Geometry, Accumulator, Edges, type_list<Bound...>>
    : register_slot<typename Bound::leaf, register_value<Accumulator, extent_of_sum<Bound>, Edges, Geometry::max_chunks,
                                                         Geometry::channels_per_chunk>>... {
  using table = type_list<Bound...>;

  EDGEWISE_HD void clear(Geometry const& geo) {
    (fill(geo, slot_value<typename Bound::leaf>(*this), Accumulator(0)), ...);
  }

  EDGEWISE_HD_AS_ITS_ARGUMENT
  template <class F>
  EDGEWISE_HD void for_each(F const& f) {
    (f(type_tag<Bound>{}, slot_value<typename Bound::leaf>(*this)), ...);
  }
  EDGEWISE_HD void add([[maybe_unused]] Geometry const& geo, [[maybe_unused]] adjoint_sums const& later) {
    for_each([&](auto tag, auto& sum) {
      auto const& other = slot_value<typename decltype(tag)::type::leaf>(later);
      for_each_lanes<std::remove_cvref_t<decltype(sum)>>(
          geo, [&](int b, int c, auto l) { sum.at(b, c, l) += other.at(b, c, l); });
    });
  }
};

/// The sink of one block of edges. RowTargets and ParameterTargets sum over the block, EdgeTargets keep each edge's
/// own. Mask: which of them are edges.
template <class Geometry, class Accumulator, int Edges, class RowTargets, class EdgeTargets, class ParameterTargets,
          class Mask = edge_mask<Edges>>
struct gradient_sink {
  using targets = concat_types<typename leaves_of_table<RowTargets>::type, typename leaves_of_table<EdgeTargets>::type,
                               typename leaves_of_table<ParameterTargets>::type>;
  using row_sums = adjoint_sums<Geometry, Accumulator, 1, RowTargets>;
  using edge_sums = adjoint_sums<Geometry, Accumulator, Edges, EdgeTargets>;
  using parameter_sums = adjoint_sums<Geometry, Accumulator, 1, ParameterTargets>;

  row_sums& rows;
  edge_sums& edges;
  parameter_sums& parameters;
  Mask const& ok;

  template <class E>
  static consteval bool wants() {
    return any_leaf(typename E::leaves{});
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const& env, Adjoint const& adjoint) {
    if constexpr (contains_type<Leaf, typename leaves_of_table<RowTargets>::type>) {
      add_over_block<bound_for<Leaf, RowTargets>::kind>(env.geo, slot_value<Leaf>(rows), adjoint);
    } else if constexpr (contains_type<Leaf, typename leaves_of_table<ParameterTargets>::type>) {
      add_over_block<bound_for<Leaf, ParameterTargets>::kind>(env.geo, slot_value<Leaf>(parameters), adjoint);
    } else if constexpr (contains_type<Leaf, typename leaves_of_table<EdgeTargets>::type>) {
      auto& sum = slot_value<Leaf>(edges);
      auto const add_part = [&](auto const& part) {
        for_each_lanes<std::remove_cvref_t<decltype(sum)>>(env.geo, [&](int b, int c, auto l) {
          auto& place = sum.at(b, c, l);
          place += spread<std::remove_cvref_t<decltype(place)>>(part.at(b, c, l));
        });
      };
      if constexpr (is_handed_leaf<Leaf>) {
        add_part(adjoint);
      } else {
        add_part(fit_partial<extent_of_kind(bound_for<Leaf, EdgeTargets>::kind)>(env.geo, adjoint));
      }
    }
  }

private:
  template <class... L>
  static consteval bool any_leaf(type_list<L...>) {
    return (contains_type<L, targets> || ...);
  }
  template <operand_kind Kind, class Sum, class Adjoint>
  EDGEWISE_HD void add_over_block(Geometry const& geo, Sum& sum, Adjoint const& adjoint) {
    auto const& part = fit_partial<extent_of_kind(Kind)>(geo, adjoint);
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      if (ok[b]) add_block(geo, sum, part, b);
    }
  }
};

}  // namespace detail
}  // namespace edgewise::inline v0
