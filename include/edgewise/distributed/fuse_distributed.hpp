// `fuse` over a distributed graph: the same programs, mappings and options.
#pragma once

#include <tuple>
#include <type_traits>

#include <edgewise/core/float16.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/distributed_graph.hpp>
#include <edgewise/distributed/distributed_plan.hpp>
#include <edgewise/plan/fuse.hpp>

namespace edgewise::inline v0 {

/// An option of `fuse` over distributed graphs: rows and gradients of float travel between ranks as T, bfloat16 or
/// float16, half the bytes. They are rounded once on the way, rows that stay on their rank are not.
template <class T>
struct messages_as {
  static_assert(is_float16<T>, "messages_as: of bfloat16 or float16 (distributed/fuse_distributed.hpp)");
};

namespace detail {

template <class Option>
inline constexpr bool is_message_option = false;
template <class T>
inline constexpr bool is_message_option<messages_as<T>> = true;

template <class... Option>
struct message_of_options {
  using type = void;
};
template <class T, class... Rest>
struct message_of_options<messages_as<T>, Rest...> {
  using type = T;
};
template <class First, class... Rest>
requires(!is_message_option<First>) struct message_of_options<First, Rest...> : message_of_options<Rest...> {
};

template <class Option>
auto without_message_option(Option const& option) {
  if constexpr (is_message_option<Option>) {
    return std::tuple<>();
  } else {
    return std::tuple<Option>(option);
  }
}

/// What a distributed plan can be made of.
template <class Program, class Recipe>
struct require_distributed {
  static_assert(!is_along_edges<Program>, "fuse: along_edges is not to be had over a distributed graph");
  static constexpr bool crosses = [] {
    if constexpr (requires { Recipe::types::crosses_any; }) {
      return Recipe::types::crosses_any;
    } else {
      return false;
    }
  }();
  static_assert(!crosses,
                "at_source: over a distributed graph no gather reads the gathers of other rows, which would have to "
                "travel between the two; make two plans, and bind the output of the first to the second");
  static constexpr bool ok = true;
};

}  // namespace detail

/// A program fused over a distributed graph, made by `fuse`.
template <class Graph, class Kernel, class Message>
struct distributed_kernel {
  Graph const* g;
  Kernel kernel;

  /// Makes the plans of this rank's part: operands have its rows. Not collective, but each rank needs one for the
  /// calls that are. Errors as of `fused_kernel::plan`.
  template <class... Binding>
  auto plan(typename Graph::exec_type const& exec, binding_set<Binding...> const& in) const {
    using made = distributed_plan<Graph, Kernel, binding_set<Binding...>, Message>;
    static_assert(detail::require_distributed<decltype(Kernel::program), typename made::recipe_type>::ok);
    return made(*g, kernel, exec, in);
  }
};

/// Fuses a program over a graph of which this rank has a part, which must outlive the plans. Mappings and options are
/// those of a graph of one process, and `messages_as<bfloat16>{}`. Not yet: types of edges, `along_edges`, gathers that
/// read gathers of other rows in one program.
template <communicator Comm, class Index, class Offset, class Mapping, expression E, class... Option>
auto fuse(distributed_graph<Comm, Index, Offset> const& g, Mapping const& mapping, E const& program,
          Option const&... option) {
  using Message = typename detail::message_of_options<Option...>::type;
  auto const kernel = std::apply([&](auto const&... others) { return fuse(g.interior(), mapping, program, others...); },
                                 std::tuple_cat(detail::without_message_option(option)...));
  return distributed_kernel<distributed_graph<Comm, Index, Offset>, std::remove_const_t<decltype(kernel)>, Message>{
      &g, kernel};
}

}  // namespace edgewise::inline v0
