// A softmax sum over other edges of a row, which takes the place of a virtual self edge.
#pragma once

#include <edgewise/core/type_list.hpp>
#include <edgewise/program/aggregation.hpp>

namespace edgewise::inline v0::detail {

/// Largest: of the scores of those edges, -inf where there are none; Weight: the sum of exp(score - largest); Value:
/// the weighted mean. Folding it in is merging two pieces of a row. Nothing is differentiated with respect to it.
template <class Largest, class Weight, class Value>
struct softmax_so_far {
  using arguments = type_list<Largest, Weight, Value>;
  using leaves = unique_types<concat_types<typename Largest::leaves, typename Weight::leaves, typename Value::leaves>>;
  static constexpr bool is_softmax = true;
  Largest largest;
  Weight weight;
  Value value;

  template <int I>
  EDGEWISE_HD constexpr auto const& argument() const {
    if constexpr (I == 0) {
      return largest;
    } else if constexpr (I == 1) {
      return weight;
    } else {
      return value;
    }
  }
  template <class L, class W, class V>
  constexpr auto with_arguments(L const& l, W const& w, V const& v) const {
    return softmax_so_far<L, W, V>{l, w, v};
  }
};

/// The leaves of self edges through which gradients are pulled.
template <class Selves>
struct pulled_leaves;
template <class... Self>
struct pulled_leaves<type_list<Self...>> {
  template <class S>
  struct of {
    using type = typename S::leaves;
  };
  template <class L, class W, class V>
  struct of<softmax_so_far<L, W, V>> {
    using type = type_list<>;
  };
  using type = unique_types<concat_types<type_list<>, typename of<Self>::type...>>;
};

}  // namespace edgewise::inline v0::detail
