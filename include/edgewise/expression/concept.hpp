// The contracts of messages: what an expression, an elementwise operation and a leaf are.
#pragma once

#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0 {

/// Whose row an operand reads: the edge's source, destination, the edge itself, the edge's type, or one row shared by
/// all. A matrix is read as a whole, by `linear` (expression/linear.hpp).
enum class role { source, destination, edge, relation, parameter, matrix };

/// A message or epilogue expression. Laws: `trace(env)` has no side effect and depends on the leaves in `leaves` alone;
/// `pull(env, record, adjoint, sink)` adds to the sink, for each asked leaf, adjoint times the derivative at the
/// record, and is linear in the adjoint.
template <class E>
concept expression = requires {
  typename E::leaves;
  typename E::edgewise_expression;
};

/// An elementwise operation over one scalar per channel. Laws: `pull<I>` is adjoint times the partial derivative of
/// `value` by argument I; an operation adding no state of its own is an empty struct.
template <class Op>
struct require_operation {
  static_assert(
      requires { Op::name; }, "operation Op: needs 'static constexpr char const* name' (expression/concept.hpp)");
  static_assert(
      requires { Op::flops; },
      "operation Op: needs 'static constexpr int flops', its cost per channel (expression/concept.hpp)");
  static_assert(std::is_trivially_copyable_v<Op>,
                "operation Op: must be trivially copyable, it travels to the device (expression/concept.hpp)");
  static constexpr bool ok = true;
};

namespace detail {

/// What one evaluation of a node leaves behind for the way back: its value and its children's records.
template <class Value, class... Children>
struct record;

}  // namespace detail
}  // namespace edgewise::inline v0
