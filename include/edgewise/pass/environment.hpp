// Registers by leaf, and the environment in which a message is evaluated for a block of edges.
#pragma once

#include <edgewise/core/softmax_normalizer.hpp>
#include <edgewise/pass/load_number.hpp>
#include <edgewise/pass/load_store.hpp>
#include <edgewise/program/bound_leaf.hpp>

namespace edgewise::inline v0::detail {

/// One leaf's value in registers.
template <class Leaf, class Value>
struct register_slot {
  Value content;
};

/// Does a stored type stay itself in registers: saved arguments and normalizers?
template <class T>
inline constexpr bool stays_itself = std::is_integral_v<T> || is_softmax_normalizer<T>;

/// Real operands are converted to the accumulator; a random state is read as a key of masks, a number is unsigned.
template <class Bound, class Accumulator>
using register_scalar = std::conditional_t<
    is_random_leaf<typename Bound::leaf>, mask_key,
    std::conditional_t<is_number_leaf<typename Bound::leaf>, std::uint64_t,
                       std::conditional_t<stays_itself<std::remove_const_t<typename Bound::storage>>,
                                          std::remove_const_t<typename Bound::storage>, Accumulator>>>;

/// Values of the leaves of a table for Edges edges (1: what all edges of a row share).
template <class Geometry, class Accumulator, int Edges, class Table>
struct registers;
template <class Geometry, class Accumulator, int Edges, class... Bound>
struct registers<Geometry, Accumulator, Edges, type_list<Bound...>>
    : register_slot<typename Bound::leaf,
                    register_value<detail::register_scalar<Bound, Accumulator>, detail::extent_of_kind(Bound::kind),
                                   Edges, Geometry::max_chunks, Geometry::channels_per_chunk>>... {
  using leaves = type_list<typename Bound::leaf...>;
};

template <class Leaf, class Value>
EDGEWISE_HD Value const& slot_value(register_slot<Leaf, Value> const& slot) {
  return slot.content;
}
template <class Leaf, class Value>
EDGEWISE_HD Value& slot_value(register_slot<Leaf, Value>& slot) {
  return slot.content;
}

/// Loads the leaves of a sub-list of the registers' table at rows[].
template <class... Bound, class Geometry, class Pointers, class Row, int Edges, class Registers>
EDGEWISE_HD void load_leaves(type_list<Bound...>, Geometry const& geometry, Pointers const& pointers,
                             Row const (&rows)[Edges], Registers& to) {
  (load_rows(geometry, pointers.template of<Bound>(), rows, slot_value<typename Bound::leaf>(to)), ...);
}

/// Zeros for leaves of the registers' table that are not among Loaded: what a pass evaluates of them it does not use. A
/// device's compiler drops all of that; on the host calls of mathematical functions remain.
template <class Loaded, class... Bound, class Geometry, class Registers>
EDGEWISE_HD void clear_unloaded([[maybe_unused]] Loaded loaded, type_list<Bound...>,
                                [[maybe_unused]] Geometry const& geometry, [[maybe_unused]] Registers& to) {
#if !defined(__CUDA_ARCH__)
  [[maybe_unused]] auto const clear = [&]<class B>(type_tag<B>) {
    if constexpr (!contains_type<B, Loaded>) {
      auto& value = slot_value<typename B::leaf>(to);
      fill(geometry, value, typename std::remove_cvref_t<decltype(value)>::scalar{});
    }
  };
  (clear(type_tag<Bound>{}), ...);
#endif
}

template <class... Bound, class Geometry, class Pointers, class Row>
EDGEWISE_HD void prefetch_leaves(type_list<Bound...>, Geometry const& geometry, Pointers const& pointers, Row row) {
  (prefetch_row(geometry, pointers.template of<Bound>(), row), ...);
}

/// What a message sees: the geometry, the leaves that a row fixes and those that vary from edge to edge.
template <class Geometry, class Accumulator, class Fixed, class Varying>
struct environment {
  using geometry = Geometry;
  using accumulator = Accumulator;

  Geometry const& geo;
  Fixed const& fixed;
  Varying const& varying;

  template <class Leaf>
  EDGEWISE_HD auto const& leaf_value() const {
    if constexpr (contains_type<Leaf, typename Fixed::leaves>) {
      return detail::slot_value<Leaf>(fixed);
    } else {
      static_assert(contains_type<Leaf, typename Varying::leaves>, "message: an operand is not bound");
      return detail::slot_value<Leaf>(varying);
    }
  }
};

/// The environment before anything is loaded. Read: the leaves whose values count, void for all (`is_read`).
template <class Geometry, class Accumulator, class Read = void>
struct bare_environment {
  using geometry = Geometry;
  using accumulator = Accumulator;
  using held = type_list<>;
  using read = Read;

  Geometry const& geo;
};

/// An environment with the leaves of Registers in front: they hide those of Base, which may be unset there.
template <class Base, class Registers>
struct extended_environment {
  using geometry = typename Base::geometry;
  using accumulator = typename Base::accumulator;
  using held = typename Base::held;
  using read = typename Base::read;

  geometry const& geo;
  Base const& base;
  Registers const& values;

  template <class Leaf>
  EDGEWISE_HD auto const& leaf_value() const {
    if constexpr (contains_type<Leaf, typename Registers::leaves>) {
      return slot_value<Leaf>(values);
    } else {
      return base.template leaf_value<Leaf>();
    }
  }
};

template <class Base, class Registers>
EDGEWISE_HD extended_environment<Base, Registers> extend(Base const& base, Registers const& values) {
  return {base.geo, base, values};
}

}  // namespace edgewise::inline v0::detail
