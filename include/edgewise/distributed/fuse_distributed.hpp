// `fuse` over a distributed graph: the same programs, mappings and options.
#pragma once

#include <tuple>
#include <type_traits>

#include <edgewise/core/float16.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/distributed_graph.hpp>
#include <edgewise/distributed/distributed_view.hpp>
#include <edgewise/distributed/parts_recipe.hpp>
#include <edgewise/distributed/summed_rows.hpp>
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

}  // namespace detail

/// Fuses a program over a graph of which this rank has a part, which must outlive the plans. Mappings and options are
/// those of a graph of one process, and `messages_as<bfloat16>{}`. Plans are made and called as always, with operands,
/// outputs and gradients of the part's rows (distributed/graph_part.hpp); calls are collective, and their values are
/// those of a plan over the whole graph, summed in another order: distributed/divided_recipe.hpp says what is sent
/// when. Dropout drops the same elements whatever the parts. Not yet: `by_type`, `along_edges`,
/// `plan_for_capacity`.
template <communicator Comm, class Index, class Offset, class Part, class Mapping, expression E, class... Option>
auto fuse(distributed_graph<Comm, Index, Offset, Part> const& g, Mapping const& mapping, E const& program,
          Option const&... option) {
  static_assert((0 + ... + detail::inputs_along_edges<Option>) == 0,
                "along_edges: is not to be had over a distributed graph; leave the option out "
                "(distributed/fuse_distributed.hpp)");
  using Message = typename detail::message_of_options<Option...>::type;
  using view = detail::distributed_view<distributed_graph<Comm, Index, Offset, Part>, Message>;
  return std::apply([&](auto const&... others) { return fuse(graph<view>{view{&g}}, mapping, program, others...); },
                    std::tuple_cat(detail::without_message_option(option)...));
}

template <communicator Comm, class Index, class Offset, class Part, class Mapping, expression E, class... Option>
void fuse(distributed_graph<Comm, Index, Offset, Part>&&, Mapping const&, E const&, Option const&...) = delete;

}  // namespace edgewise::inline v0
