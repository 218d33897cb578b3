// Host containers from arrays: copies, checked unless told otherwise.
#pragma once

#include <concepts>
#include <iterator>
#include <span>
#include <type_traits>

#include <edgewise/format/validate.hpp>

namespace edgewise::inline v0 {

/// A vector, array, span or host buffer of integers: what the arrays of a graph may come in.
template <class Array>
concept index_array = requires(Array const& array) {
  std::span(array);
  requires std::integral<typename decltype(std::span(array))::value_type>;
};

namespace detail {

template <class Array>
using element_t = typename decltype(std::span(std::declval<Array const&>()))::value_type;

template <class Ids, class Offset>
concept ids_of_other_type = !std::is_same_v<element_t<Ids>, Offset>;
template <class Ids, class Offset>
constexpr void require_ids_of() {
  static_assert(!ids_of_other_type<Ids, Offset>,
                "make_csr, make_csc, make_coo: edge ids must have the type of offsets, in make_coo<Offset> that of its "
                "template argument, std::int32_t unless given (format/make.hpp)");
}

template <class T, class Array>
host_buffer<T> copy_array(Array const& array, memory_resource* memory) {
  return copy_of(std::span<T const>(std::span(array)), memory);
}

template <template <class, class, class> class Container, class Offsets, class Neighbors>
auto make_grouping(vertex_counts counts, Offsets const& offsets, Neighbors const& neighbors,
                   std::span<element_t<Offsets> const> edge_ids, validation check, memory_resource* memory) {
  using offset_type = element_t<Offsets>;
  using index_type = element_t<Neighbors>;
  Container<index_type, offset_type, host_space> made(counts, copy_array<offset_type>(offsets, memory),
                                                      copy_array<index_type>(neighbors, memory),
                                                      copy_of(edge_ids, memory));
  if (check == validation::on) validate(made);
  return made;
}

}  // namespace detail

/// A csr with copies of these host arrays: row v owns neighbors[offsets[v]] .. neighbors[offsets[v + 1] - 1].
/// Shapes: offsets [destinations + 1], neighbors [E], edge_ids [E] or empty (ids are positions). Index and offset types
/// are the arrays' element types. Throws `invalid_argument` on wrong sizes always, on wrong contents unless
/// `validation::off`.
template <index_array Offsets, index_array Neighbors>
auto make_csr(vertex_counts counts, Offsets const& offsets, Neighbors const& neighbors,
              std::span<detail::element_t<Offsets> const> edge_ids = {}, validation check = validation::on,
              memory_resource* memory = host_memory()) {
  return detail::make_grouping<csr>(counts, offsets, neighbors, edge_ids, check, memory);
}
/// Chosen where edge ids are of another type than offsets, to say so.
template <index_array Offsets, index_array Neighbors, index_array Ids, class... Rest>
requires detail::ids_of_other_type<Ids, detail::element_t<Offsets>>
void make_csr(vertex_counts, Offsets const&, Neighbors const&, Ids const&, Rest const&...) {
  detail::require_ids_of<Ids, detail::element_t<Offsets>>();
}
/// A csr without edge ids, which are positions then.
template <index_array Offsets, index_array Neighbors>
auto make_csr(vertex_counts counts, Offsets const& offsets, Neighbors const& neighbors, validation check) {
  return make_csr(counts, offsets, neighbors, {}, check);
}

/// A csc with copies of these host arrays: row u owns neighbors[offsets[u]] .. neighbors[offsets[u + 1] - 1].
/// Shapes: offsets [sources + 1], neighbors [E], edge_ids [E] or empty. Errors as `make_csr`.
template <index_array Offsets, index_array Neighbors>
auto make_csc(vertex_counts counts, Offsets const& offsets, Neighbors const& neighbors,
              std::span<detail::element_t<Offsets> const> edge_ids = {}, validation check = validation::on,
              memory_resource* memory = host_memory()) {
  return detail::make_grouping<csc>(counts, offsets, neighbors, edge_ids, check, memory);
}
/// Chosen where edge ids are of another type than offsets, to say so.
template <index_array Offsets, index_array Neighbors, index_array Ids, class... Rest>
requires detail::ids_of_other_type<Ids, detail::element_t<Offsets>>
void make_csc(vertex_counts, Offsets const&, Neighbors const&, Ids const&, Rest const&...) {
  detail::require_ids_of<Ids, detail::element_t<Offsets>>();
}
/// A csc without edge ids, which are positions then.
template <index_array Offsets, index_array Neighbors>
auto make_csc(vertex_counts counts, Offsets const& offsets, Neighbors const& neighbors, validation check) {
  return make_csc(counts, offsets, neighbors, {}, check);
}

/// A coo with copies of these host arrays: edge k goes sources[k] -> destinations[k].
/// Shapes: all [E]; edge_ids may be empty. `Offset`, the type of edge counts and ids, is 32 bits unless given.
/// Errors as `make_csr`.
template <class Offset = std::int32_t, index_array Sources, index_array Destinations>
auto make_coo(vertex_counts counts, Sources const& sources, Destinations const& destinations,
              std::span<std::type_identity_t<Offset> const> edge_ids = {}, validation check = validation::on,
              memory_resource* memory = host_memory()) {
  using index_type = detail::element_t<Sources>;
  static_assert(std::is_same_v<index_type, detail::element_t<Destinations>>,
                "make_coo: sources and destinations must have the same element type");
  coo<index_type, Offset> made(counts, detail::copy_array<index_type>(sources, memory),
                               detail::copy_array<index_type>(destinations, memory), copy_of(edge_ids, memory));
  if (check == validation::on) validate(made);
  return made;
}
/// Chosen where edge ids are of another type than `Offset`, to say so.
template <class Offset = std::int32_t, index_array Sources, index_array Destinations, index_array Ids, class... Rest>
requires detail::ids_of_other_type<Ids, Offset>
void make_coo(vertex_counts, Sources const&, Destinations const&, Ids const&, Rest const&...) {
  detail::require_ids_of<Ids, Offset>();
}
/// A coo without edge ids, which are positions then.
template <class Offset = std::int32_t, index_array Sources, index_array Destinations>
auto make_coo(vertex_counts counts, Sources const& sources, Destinations const& destinations, validation check) {
  return make_coo<Offset>(counts, sources, destinations, {}, check);
}

}  // namespace edgewise::inline v0
