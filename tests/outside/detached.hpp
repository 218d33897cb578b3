// A node from outside the library: a value that passes no gradient on. The skeleton of docs/add_a_node.md.
#pragma once

#include <edgewise/edgewise.hpp>

namespace outside {

namespace ew = edgewise;

// [begin node]
/// x, as a constant: nothing below it gets a gradient from here.
template <class Arg>
struct detached_node : ew::unary_node<detached_node, Arg> {
  static constexpr char const* name = "detached";  // in plan.explain()

  /// The value, and the records of what lies below, which `pull` gets back.
  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return ew::trace_node<detached_node>(env, [&](auto const& in) { return this->arg.trace(in); });
  }
  /// Hands the adjoint on to the arguments: to none here.
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    ew::pull_node<detached_node>(env, record, adjoint, sink, [](auto const&) {});
  }
};

template <ew::expression A>
constexpr auto detached(A const& a) {
  return detached_node<A>{{a}};
}
// [end node]

}  // namespace outside
