// Leaves of messages: operands by role and name, and constants.
#pragma once

#include <edgewise/core/pack.hpp>
#include <edgewise/core/scalar.hpp>
#include <edgewise/expression/concept.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// A leaf's record refers to the register that the environment already holds.
template <class Value>
struct leaf_record {
  Value const& value;
};

template <class Value>
struct constant_record {
  Value value;
};

}  // namespace detail

/// The operand `Name` in role `Role`: one row of it, chosen by the edge. Its extent is that of the kind it is bound to.
template <role Role, class Name>
struct leaf {
  using edgewise_expression = void;
  static constexpr role role_of = Role;
  using name = Name;
  using leaves = type_list<leaf>;

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    auto const& x = env.template leaf_value<leaf>();
    return detail::leaf_record<std::remove_cvref_t<decltype(x)>>{x};
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const&, Adjoint const& adjoint, Sink& sink) const {
    sink.template add<leaf>(env, adjoint);
  }
};

namespace detail {

template <class E>
inline constexpr bool is_leaf = false;
template <role Role, class Name>
inline constexpr bool is_leaf<leaf<Role, Name>> = true;
/// Is E a leaf of one of these roles?
template <class E, role... Role>
inline constexpr bool is_leaf_of = false;
template <role R, class Name, role... Role>
inline constexpr bool is_leaf_of<leaf<R, Name>, Role...> = ((R == Role) || ...);

}  // namespace detail

/// Row of the edge's source.
template <class Name>
inline constexpr leaf<role::source, Name> src{};
/// Row of the edge's destination.
template <class Name>
inline constexpr leaf<role::destination, Name> dst{};
/// Row of the edge itself, by edge id.
template <class Name>
inline constexpr leaf<role::edge, Name> edge{};
/// Row of the edge's type, in graphs with types (format/typed_edges.hpp).
template <class Name>
inline constexpr leaf<role::relation, Name> relation{};
/// Row 0, shared by all edges and vertices.
template <class Name>
inline constexpr leaf<role::parameter, Name> param{};

/// A number in a message. Constants live in the message object and are folded where the compiler sees them.
struct constant {
  using edgewise_expression = void;
  using leaves = type_list<>;
  detail::constant_value number;

  template <class Env>
  EDGEWISE_HD auto trace(Env const&) const {
    using T = typename Env::accumulator;
    using geometry = typename Env::geometry;
    using uniform = register_value<T, extent::uniform, 1, geometry::max_chunks, geometry::channels_per_chunk>;
    return detail::constant_record<uniform>{uniform{{{{number.template as<T>()}}}}};
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const&, Record const&, Adjoint const&, Sink&) const {}
};

}  // namespace edgewise::inline v0
