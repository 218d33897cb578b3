// What the gradients of a backward pass must be: of the shapes of their operands, and arrays of their own.
#pragma once

#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// A gradient has the kind and shape of each operand that it is the gradient of.
template <class Request, class Leaves>
struct gradient_checker;
template <class Request, class... Leaf>
struct gradient_checker<Request, type_list<Leaf...>> {
  template <class Set>
  static void check(Request const& request, Set const& in) {
    (check_one<Leaf>(request, in), ...);
  }

private:
  template <class L, class Set>
  static void check_one(Request const& request, Set const& in) {
    if constexpr (targets_leaf<typename Request::target, L> && is_random_leaf<L>) {
      static_assert(!is_random_leaf<L>, "grad: the random numbers of a dropout have no gradient");
    } else if constexpr (targets_leaf<typename Request::target, L>) {
      auto const& operand = view_for<L>(in);
      using operand_view_type = std::remove_cvref_t<decltype(operand)>;
      static_assert(
          Request::view_type::kind == operand_view_type::kind,
          "grad: the kind of a gradient must be that of its operand (wide, per_head, per_channel or per_row)");
      static_assert(
          vec_length<typename Request::view_type> == vec_length<operand_view_type>,
          "grad: the gradient of small vectors is small vectors of the same length (vec_per_row, vec_per_head)");
      auto const& view = request.view;
      if (view.rows != operand.rows || view.heads != operand.heads || view.channels != operand.channels) {
        throw invalid_argument(text("grad of ", leaf_name<L>(), ": has shape ", shape_text(view), ", the operand has ",
                                    shape_text(operand)));
      }
      check_view(view, operand.rows, rows_name(L::role_of), [] { return "grad of " + leaf_name<L>(); });
    }
  }
};

/// Which operand's gradient a request asks for, for messages: that of the first leaf it touches.
template <class Target, class First, class... Rest>
std::string gradient_name(type_list<First, Rest...>) {
  if constexpr (targets_leaf<Target, First> || sizeof...(Rest) == 0) {
    return "grad of " + leaf_name<First>();
  } else {
    return gradient_name<Target>(type_list<Rest...>{});
  }
}

/// Throws where a gradient shares memory with an operand, whether or not this backward pass reads it.
template <class Request, class... Leaf, class Set>
void check_not_operands(Request const& request, type_list<Leaf...> leaves, Set const& in) {
  auto const check = [&]<class L>(type_tag<L>) {
    if constexpr (!is_random_leaf<L> && !is_number_leaf<L>) {
      auto const& operand = view_for<L>(in);
      if (share_memory(request.view, operand)) {
        throw invalid_argument(text(gradient_name<typename Request::target>(leaves), ": ",
                                    shared_memory_text(request.view, operand), leaf_name<L>(),
                                    "; a gradient is an array of its own"));
      }
    }
  };
  (check(type_tag<Leaf>{}), ...);
}

/// Are two views the same elements of the same type?
template <class A, class B>
bool is_same_array(A const& a, B const& b) {
  if constexpr (!std::is_same_v<A, B>) {
    return false;
  } else {
    return a.data == b.data && a.rows == b.rows && a.heads == b.heads && a.channels == b.channels &&
           (a.rows <= 1 || a.row_stride == b.row_stride);
  }
}

/// Throws where two gradients share memory, unless they are one array and both are added to it.
template <class Leaves, class Request, class... Rest>
void check_not_shared(Leaves leaves, Request const& request, Rest const&... rest) {
  auto const check = [&]<class Other>(Other const& other) {
    bool const is_one = is_same_array(request.view, other.view);
    if (share_memory(request.view, other.view) && !(is_one && Request::accumulates && Other::accumulates)) {
      throw invalid_argument(text(gradient_name<typename Request::target>(leaves), " and ",
                                  gradient_name<typename Other::target>(leaves),
                                  is_one ? ": are one array, which the later one would overwrite"
                                         : ": overlap; two gradients may only be added to one array of one shape"));
    }
  };
  (check(rest), ...);
  if constexpr (sizeof...(Rest) > 1) check_not_shared(leaves, rest...);
}

/// Each gradient has the kind and shape of its operand, and none shares memory with the output's adjoint, an operand,
/// or another gradient, unless that is the same array and both are added to. Throws `invalid_argument`. Leaves: those
/// of the program.
template <class Leaves, class GradView, class Set, class... Request>
void check_gradients(GradView const& grad_out, Set const& in, Request const&... requests) {
  (gradient_checker<Request, Leaves>::check(requests, in), ...);
  [[maybe_unused]] auto const check_adjoint = [&]<class R>(R const& request) {
    if (share_memory(request.view, grad_out)) {
      throw invalid_argument(text(gradient_name<typename R::target>(Leaves{}), ": ",
                                  shared_memory_text(request.view, grad_out),
                                  "grad_out, which is read while gradients are written"));
    }
  };
  (check_adjoint(requests), ...);
  (check_not_operands(requests, Leaves{}, in), ...);
  if constexpr (sizeof...(Request) > 1) check_not_shared(Leaves{}, requests...);
}

}  // namespace edgewise::inline v0::detail
