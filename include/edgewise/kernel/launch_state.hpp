// Sums over all the edges or vertices that a thread takes in a launch.
#pragma once

#include <cstdint>

#include <edgewise/kernel/fold_tree.hpp>
#include <edgewise/kernel/gradient_sink.hpp>

namespace edgewise::detail {

/// Gradients of parameters, and adjoints of what is held for the launch.
template <class Geometry, class T, class Parameters, class Held>
struct launch_sums {
  adjoint_sums<Geometry, T, 1, Parameters> parameters;
  adjoint_sums<Geometry, T, 1, Held> held_parameters;

  EDGEWISE_HD void clear(Geometry const& geo) {
    parameters.clear(geo);
    held_parameters.clear(geo);
  }
};

/// Adds `leaf` to `sum`, and what is lost of it to `lost`, exactly (Knuth, The Art of Computer Programming, volume 2,
/// section 4.2.2, theorem B); clears `leaf`.
template <class Geometry, class Sums>
EDGEWISE_HD void add_exactly(Geometry const& geo, Sums& sum, Sums& lost, Sums& leaf) {
  sum.for_each([&](auto tag, auto& total) {
    using leaf_type = typename decltype(tag)::type::leaf;
    auto& rest = slot_value<leaf_type>(lost);
    auto& term = slot_value<leaf_type>(leaf);
    using T = typename std::remove_cvref_t<decltype(total)>::scalar;
    for_each_entry<std::remove_cvref_t<decltype(total)>>(geo, [&](int b, int c, int l) {
      T const before = total.at(b, c, l);
      T const x = term.at(b, c, l);
      T const after = before + x;
      T const part = after - before;
      rest.at(b, c, l) += (before - (after - part)) + (x - part);
      total.at(b, c, l) = after;
      term.at(b, c, l) = T(0);
    });
  });
}
/// Sums with what they lost. A sum that is infinite or NaN has lost nothing that counts.
template <class Geometry, class Sums>
EDGEWISE_HD void join_lost(Geometry const& geo, Sums& sum, Sums& lost) {
  sum.for_each([&](auto tag, auto& total) {
    auto const& rest = slot_value<typename decltype(tag)::type::leaf>(lost);
    using T = typename std::remove_cvref_t<decltype(total)>::scalar;
    for_each_entry<std::remove_cvref_t<decltype(total)>>(geo, [&](int b, int c, int l) {
      T const x = total.at(b, c, l);
      total.at(b, c, l) = x - x == T(0) ? x + rest.at(b, c, l) : x;
    });
  });
}

/// These sums as they grow, for a pass that has any. Terms are added in leaves, leaves without error, so that the error
/// of a sum over all edges is that of a leaf, whatever their number.
template <class Geometry, class T, class Parameters, class Held>
struct launch_state : launch_sums<Geometry, T, Parameters, Held> {
  using sums = launch_sums<Geometry, T, Parameters, Held>;

  sums total;              ///< of full leaves
  sums lost;               ///< by adding them
  std::int32_t num_terms;  ///< of the leaf

  EDGEWISE_HD void start_launch(Geometry const& geo) {
    this->clear(geo);
    total.clear(geo);
    lost.clear(geo);
    num_terms = 0;
  }
  /// After so many more terms.
  EDGEWISE_HD void count(Geometry const& geo, std::int64_t terms) {
    num_terms += static_cast<std::int32_t>(terms);
    if (num_terms >= leaf_terms) end_leaf(geo);
  }
  /// The sums over all leaves.
  EDGEWISE_HD void finish_launch(Geometry const& geo) {
    end_leaf(geo);
    join_lost(geo, total.parameters, lost.parameters);
    join_lost(geo, total.held_parameters, lost.held_parameters);
    static_cast<sums&>(*this) = total;
  }

private:
  EDGEWISE_HD void end_leaf(Geometry const& geo) {
    add_exactly(geo, total.parameters, lost.parameters, this->parameters);
    add_exactly(geo, total.held_parameters, lost.held_parameters, this->held_parameters);
    num_terms = 0;
  }
};
/// Without parameters there are none.
template <class Geometry, class T, class Held>
struct launch_state<Geometry, T, type_list<>, Held> : launch_sums<Geometry, T, type_list<>, Held> {
  static_assert(Held::size == 0);
  EDGEWISE_HD void start_launch(Geometry const&) {}
  EDGEWISE_HD void count(Geometry const&, std::int64_t) {}
  EDGEWISE_HD void finish_launch(Geometry const&) {}
};

}  // namespace edgewise::detail
