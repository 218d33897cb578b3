// Sums over all the edges or vertices that a thread takes in a launch.
#pragma once

#include <cstdint>

#include <edgewise/pass/fold_tree.hpp>
#include <edgewise/pass/gradient_sink.hpp>

namespace edgewise::inline v0::detail {

/// Gradients of parameters, and adjoints of what is hoisted for the launch.
template <class Geometry, class T, class Parameters, class Hoisted>
struct launch_sums {
  adjoint_sums<Geometry, T, 1, Parameters> parameters;
  adjoint_sums<Geometry, T, 1, Hoisted> hoisted_parameters;

  EDGEWISE_HD void clear(Geometry const& geo) {
    parameters.clear(geo);
    hoisted_parameters.clear(geo);
  }
};

/// Adds `term` to `sum`, and leaves in `term` what rounding lost of it, exactly (Knuth, The Art of Computer
/// Programming, volume 2, section 4.2.2, theorem B). A sum that is infinite or NaN has lost nothing that counts.
template <class Geometry, class Sums>
EDGEWISE_HD void add_exactly(Geometry const& geo, Sums& sum, Sums& term) {
  sum.for_each([&](auto tag, auto& total) {
    auto& other = slot_value<typename decltype(tag)::type::leaf>(term);
    using T = typename std::remove_cvref_t<decltype(total)>::scalar;
    for_each_entry<std::remove_cvref_t<decltype(total)>>(geo, [&](int b, int c, int l) {
      T const before = total.at(b, c, l);
      T const x = other.at(b, c, l);
      T const after = before + x;
      T const part = after - before;
      T const lost = (before - (after - part)) + (x - part);
      total.at(b, c, l) = after;
      other.at(b, c, l) = is_finite(after) ? lost : T(0);
    });
  });
}

/// These sums as they grow, for a pass that has any. Terms are added in leaves, leaves without error, so that the error
/// of a sum over all edges is that of a leaf, whatever their number.
template <class Geometry, class T, class Parameters, class Hoisted>
struct launch_state : launch_sums<Geometry, T, Parameters, Hoisted> {
  using sums = launch_sums<Geometry, T, Parameters, Hoisted>;

  sums total[2];           ///< of full leaves, and of what adding them lost; indexed in a loop, so in local memory
  std::int32_t num_terms;  ///< of the leaf

  EDGEWISE_HD void start_launch(Geometry const& geo) {
    this->clear(geo);
    EDGEWISE_KEEP_LOOP
    for (int i = 0; i < 2; ++i) total[i].clear(geo);
    num_terms = 0;
  }
  /// Called after `terms` more terms.
  EDGEWISE_HD void count(Geometry const& geo, std::int64_t terms) {
    num_terms += static_cast<std::int32_t>(terms);
    if (num_terms >= leaf_terms) end_leaf(geo);
  }
  /// Makes these sums those over all leaves.
  EDGEWISE_HD void finish_launch(Geometry const& geo) {
    end_leaf(geo);
    sums& whole = *this;
    EDGEWISE_KEEP_LOOP
    for (int i = 1; i >= 0; --i) {
      whole.parameters.add(geo, total[i].parameters);
      whole.hoisted_parameters.add(geo, total[i].hoisted_parameters);
    }
  }

private:
  EDGEWISE_HD void end_leaf(Geometry const& geo) {
    sums& leaf = *this;
    EDGEWISE_KEEP_LOOP
    for (int i = 0; i < 2; ++i) {
      sums sum = total[i];
      add_exactly(geo, sum.parameters, leaf.parameters);
      add_exactly(geo, sum.hoisted_parameters, leaf.hoisted_parameters);
      total[i] = sum;
    }
    leaf.clear(geo);
    num_terms = 0;
  }
};
/// A pass without parameters has no such sums.
template <class Geometry, class T, class Hoisted>
struct launch_state<Geometry, T, type_list<>, Hoisted> : launch_sums<Geometry, T, type_list<>, Hoisted> {
  static_assert(Hoisted::size == 0);
  EDGEWISE_HD void start_launch(Geometry const&) {}
  EDGEWISE_HD void count(Geometry const&, std::int64_t) {}
  EDGEWISE_HD void finish_launch(Geometry const&) {}
};

}  // namespace edgewise::inline v0::detail
