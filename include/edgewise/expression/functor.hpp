// A user's function of scalars as an operation of messages: apply(functor, a, b, ...).
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <edgewise/expression/dual.hpp>
#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// The argument type T, once for each index of a sequence.
template <int, class T>
using argument_at = T;

// Concepts, because nvcc 13.0 takes a requires-expression in a member template for false.
template <class F, class... T>
concept callable_with = requires(F const& f, T... x) {
  f(x...);
};
template <class F, int I, class T, class... Args>
concept pullable_with = requires(F const& f, T adjoint, T result, Args... x) {
  f.template pull<I>(adjoint, result, x...);
};

template <class F, class T, class Indices>
struct functor_calls;
template <class F, class T, int... J>
struct functor_calls<F, T, std::integer_sequence<int, J...>> {
  static constexpr bool has_value = callable_with<F, argument_at<J, T>...>;
  template <int I>
  static constexpr bool has_pull = pullable_with<F, I, T, argument_at<J, T>...>;
  static constexpr bool has_pulls = (has_pull<J> && ...);
};

/// Can `f(x...)` be called with N scalars of type T?
template <class F, int N, class T>
inline constexpr bool is_callable = functor_calls<F, T, std::make_integer_sequence<int, N>>::has_value;

/// Does F bring its own derivative by each of N arguments?
template <class F, int N>
inline constexpr bool has_own_pull = functor_calls<F, float, std::make_integer_sequence<int, N>>::has_pulls;

struct any_pull {
  void pull();
};
template <class F>
struct with_any_pull : F, any_pull {};
// Behind `std::void_t`: nvcc takes the address itself as a requirement for false.
template <class F>
concept has_one_pull = requires {
  typename std::void_t<decltype(&F::pull)>;
};
template <class F>
concept has_pull_of_index = requires {
  typename std::void_t<decltype(&F::template pull<0, float>)>;
};

/// Has F a member `pull`, whatever its parameters? Tells a mistaken one from none: beside another `pull` the name is
/// ambiguous. Of a final class only one with the right template parameters is seen.
template <class F>
consteval bool names_pull() {
  if constexpr (std::is_class_v<F> && !std::is_final_v<F>) {
    return !has_one_pull<with_any_pull<F>>;
  } else {
    return has_pull_of_index<F>;
  }
}

/// Is F a closure type? Its name says so, before any template arguments.
template <class F>
consteval bool is_lambda() {
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("F =") + 3);
  for (std::string_view const mark : {"<lambda(", "(lambda at ", "lambda ["}) {
    auto const at = name.find(mark);
    if (at != std::string_view::npos && name.substr(0, at).find('<') == std::string_view::npos) return true;
  }
  return false;
}

/// Compiled where `apply` is written, so that a compiler says there, and under this name, what a functor's body cannot
/// do with dual numbers.
template <class F, int... I>
void functor_calls_ew_exp_not_std_exp(F const& f) {
  f(dual<float>(static_cast<float>(I))...);
}
template <class F, int... I>
consteval bool compile_body_with_dual_numbers(std::integer_sequence<int, I...>) {
  if constexpr (!has_own_pull<F, sizeof...(I)> && is_callable<F, sizeof...(I), dual<float>>) {
    [[maybe_unused]] constexpr void (*body)(F const&) = functor_calls_ew_exp_not_std_exp<F, I...>;
  }
  return true;
}

template <class F, int N>
consteval bool is_differentiable() {
  if constexpr (has_own_pull<F, N>) {
    return true;
  } else {
    return is_callable<F, N, dual<float>>;
  }
}

}  // namespace detail

/// A function of N scalars, one per channel. Laws: the result has the type of the arguments; it depends on nothing but
/// the arguments and the members; `pull<I>(adjoint, result, args...)`, where F has it, is adjoint times the partial
/// derivative by argument I.
template <class F, int N>
struct require_functor {
  static_assert(!detail::is_lambda<F>(),
                "functor F: is a lambda, which nvcc calls on one machine alone; write a struct outside of functions, "
                "with 'template <class T> EDGEWISE_HD T operator()(T a) const' (expression/functor.hpp)");
  static_assert(
      std::is_trivially_copyable_v<F>,
      "functor F: must be trivially copyable, it travels to the device; keep numbers as members, no containers, and "
      "write a struct where F is a function (expression/functor.hpp)");
  static_assert(
      detail::is_callable<F, N, float>,
      "functor F: cannot be called with this many scalars, or is not const; it needs one 'T' for each argument "
      "of apply after the functor and 'const', as in 'template <class T> EDGEWISE_HD T operator()(T a, T b) "
      "const' (expression/functor.hpp)");
  static_assert(
      !detail::names_pull<F>() || detail::has_own_pull<F, N>,
      "functor F: its 'pull' must take the adjoint, the result and every argument: "
      "'template <int I, class T> EDGEWISE_HD T pull(T adjoint, T result, T a, T b) const' (expression/functor.hpp)");
  static_assert(
      !detail::is_callable<F, N, float> || detail::is_differentiable<F, N>(),
      "functor F: cannot be differentiated, its call operator does not take ew::dual; write a struct, not a lambda, "
      "whose call operator is a template over the scalar, 'template <class T> EDGEWISE_HD T operator()(T a) const', "
      "or add a 'pull' (expression/functor.hpp)");
  static constexpr bool ok = true;
};

namespace detail {

// A host-device function that calls a host-only one is a warning to nvcc, and wrong at run time; a device-only function
// that does so is an error, which prints the names of the functor and of this bridge.
template <class F, class... T>
EDGEWISE_DEVICE auto call_functor_marked_EDGEWISE_HD(F const& f, T... x) {
  return f(x...);
}
template <int I, class F, class... T>
EDGEWISE_DEVICE auto call_pull_marked_EDGEWISE_HD(F const& f, T... x) {
  return f.template pull<I>(x...);
}

template <class F, class... T>
EDGEWISE_HD auto call_functor(F const& f, T... x) {
#if defined(__CUDA_ARCH__)
  return call_functor_marked_EDGEWISE_HD(f, x...);
#else
  return f(x...);
#endif
}
template <int I, class F, class... T>
EDGEWISE_HD auto call_pull(F const& f, T... x) {
#if defined(__CUDA_ARCH__)
  return call_pull_marked_EDGEWISE_HD<I>(f, x...);
#else
  return f.template pull<I>(x...);
#endif
}

template <class F>
consteval char const* functor_name() {
  if constexpr (requires { F::name; }) {
    return F::name;
  } else {
    return "functor";
  }
}
/// A functor of unknown cost counts as much as one exponential: dear enough to be weighed against storing its result.
template <class F>
consteval int functor_flops() {
  if constexpr (requires { F::flops; }) {
    return F::flops;
  } else {
    return 8;
  }
}

/// Does a functor promise that its derivatives are finite where its arguments are?
template <class F>
consteval bool has_finite_slope_of_functor() {
  if constexpr (requires { F::has_finite_slope; }) {
    return F::has_finite_slope;
  } else {
    return false;
  }
}

}  // namespace detail

namespace operation {

/// A user's function of scalars. Its derivative by an argument is the functor's own `pull` or, without one, the
/// functor evaluated in dual numbers; either way at the recorded arguments.
template <class F>
struct functor {
  static constexpr char const* name = detail::functor_name<F>();
  static constexpr int flops = detail::functor_flops<F>();
  static constexpr bool has_finite_slope = detail::has_finite_slope_of_functor<F>();
  static constexpr bool chooses = true;  ///< a branch may leave an argument out
  [[no_unique_address]] F f;

  template <class T, class... Rest>
  EDGEWISE_HD T value(T x, Rest... rest) const {
    static_assert(std::is_same_v<decltype(f(x, rest...)), T>,
                  "functor F: must return the scalar type that it is called with: declare the result as 'T' "
                  "(expression/functor.hpp)");
    return detail::call_functor(f, x, rest...);
  }
  template <int I, class T, class... Args>
  EDGEWISE_HD T pull(T adjoint, T result, Args... args) const {
    if constexpr (detail::has_own_pull<F, sizeof...(Args)>) {
      return detail::call_pull<I>(f, adjoint, result, args...);
    } else {
      return pull_dual<I>(std::make_integer_sequence<int, sizeof...(Args)>{}, adjoint, args...);
    }
  }

private:
  /// The functor is derived along 1, and the result multiplied by the adjoint, whose scale, that of a loss, is none of
  /// the functor's. Where slopes are finite it is derived along the adjoint: the derivative of a score of a softmax is
  /// then chosen between multiples of the adjoint as the library's own is, in as many registers (docs/tuning.md, R48).
  template <int I, int... J, class T, class... Args>
  EDGEWISE_HD T pull_dual(std::integer_sequence<int, J...>, T adjoint, Args... args) const {
    if constexpr (has_finite_slope) {
      return detail::call_functor(f, dual<T>(args, I == J ? adjoint : T(0), I == J)...).derivative;
    } else {
      dual<T> const result = detail::call_functor(f, dual<T>(args, T(I == J ? 1 : 0), I == J)...);
      return result.along(T(0), adjoint).derivative;
    }
  }
};

}  // namespace operation

/// The message f(a, b, ...), channel by channel: f is called with the scalar of each argument, smaller ones broadcast.
/// `f`: a trivially copyable namespace-scope type, whose members travel with the message. It has
///   template <class T> EDGEWISE_HD T operator()(T a, T b, ...) const  // of arithmetic, ew::exp, ...
/// and may have
///   template <int I, class T> EDGEWISE_HD T pull(T adjoint, T result, T a, T b, ...) const   // else dual numbers
///   static constexpr char const* name;
///   static constexpr int flops;   // its cost per channel; 8 where it is not given
///   static constexpr bool has_finite_slope = true;   // no derivative is infinite where the arguments are finite: the
///                                                    // gradient of a softmax of such scores takes fewer sums,
///                                                    // and calls `pull` with parts of its adjoint
/// f runs once for each channel of its widest argument: what smaller arguments decide alone (an exponential of a score)
/// belongs in a functor of its own, whose value is then broadcast.
/// Arguments may be plain numbers; at least one is an expression.
/// Errors: compile errors that say what to do; a call operator or `pull` without EDGEWISE_HD is one in any .cu file.
template <class F, class... A>
requires detail::operands<A...>
constexpr auto apply(F const& f, A const&... args) {
  static_assert(require_functor<F, sizeof...(A)>::ok);
  static_assert(detail::compile_body_with_dual_numbers<F>(std::make_integer_sequence<int, sizeof...(A)>{}));
  return detail::make_node(operation::functor<F>{f}, args...);
}

}  // namespace edgewise::inline v0
