// What a plan says to arguments that none of its calls takes.
#pragma once

#include <type_traits>

#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

template <class Given>
inline constexpr bool is_binding_set = false;
template <class... Binding>
inline constexpr bool is_binding_set<binding_set<Binding...>> = true;

template <class Given, class Planned>
struct require_bindings {
  static_assert(!is_binding_set<Given> || std::is_same_v<Given, Planned>,
                "bindings: these are not of the types that the plan was made for: it takes the same names in the same "
                "order, of the same kinds and element types (const counts)");
  static constexpr bool ok = true;
};

/// Overloads of a plan's calls, chosen where no call fits, that say what is wrong in place of listing all types.
template <class Exec, class Planned>
struct call_advice {
  template <class Given, class... Rest>
  void forward(Exec const&, Given const&, Rest const&...) const {
    static_assert(require_bindings<Given, Planned>::ok);
    static_assert(is_binding_set<Given> && !std::is_same_v<Given, Planned>,
                  "forward: takes (exec, bindings, out(view)) or (exec, bindings, out(view), saved), saved from "
                  "make_saved of this plan and not const");
  }
  template <class First, class... Rest>
  requires(!std::is_convertible_v<First const&, Exec const&>) void forward(First const&, Rest const&...) const {
    static_assert(std::is_void_v<First>,
                  "forward: takes the plan's execution resource first: forward(exec, bindings, "
                  "out(view), saved)");
  }
  template <class First, class... Rest>
  requires(!std::is_convertible_v<First const&, Exec const&>) void backward(First const&, Rest const&...) const {
    static_assert(std::is_void_v<First>,
                  "backward: takes the plan's execution resource first: backward(exec, "
                  "bindings, saved, grad_out(view), grad<name>(view)...)");
  }
  template <class Given, class... Rest>
  void backward(Exec const&, Given const&, Rest const&...) const {
    static_assert(require_bindings<Given, Planned>::ok);
    static_assert(is_binding_set<Given> && !std::is_same_v<Given, Planned>,
                  "backward: takes (exec, bindings, saved, grad_out(view), grad<name>(view)...), saved from make_saved "
                  "of this plan");
  }
};

}  // namespace edgewise::inline v0::detail
