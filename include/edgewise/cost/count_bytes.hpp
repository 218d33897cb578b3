// How many bytes a pass must move, counted from its types.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

/// Bytes of a row of each operand of a table.
template <class... Bound>
double bytes_of_row(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
  return (0.0 + ... +
          (is_operand_bound<Bound>::value ? static_cast<double>(elements_of_kind(Bound::kind, extents)) *
                                                static_cast<double>(sizeof(typename Bound::storage))
                                          : 0.0));
}

/// Is the tensor bound to a leaf also bound to another leaf of the list?
template <class Bound, class Others, class Bindings>
struct shares_tensor;
template <class Bound, class... Other, class Bindings>
struct shares_tensor<Bound, type_list<Other...>, Bindings> {
  template <class O>
  static consteval bool same() {
    if constexpr (!std::is_same_v<typename Bound::leaf::name, typename O::leaf::name> ||
                  !is_operand_bound<Bound>::value) {
      return false;
    } else {
      return binding_of<whole_leaf<typename Bound::leaf>, Bindings>::index ==
             binding_of<whole_leaf<typename O::leaf>, Bindings>::index;
    }
  }
  static constexpr bool value = (same<Other>() || ...);
};
template <class Others, class Bindings>
struct shares_tensor_with {
  template <class Bound>
  struct test : shares_tensor<Bound, Others, Bindings> {};
};

/// How many rows, neighbors and edges a grouping has, and the bytes of an entry of each of its arrays.
struct grouping_sizes {
  std::int64_t rows = 0;
  std::int64_t neighbors = 0;
  std::int64_t edges = 0;
  int offset_bytes = 0;
  int index_bytes = 0;
  int edge_id_bytes = 0;  ///< 0: ids are positions
};
template <class Index, class Offset>
grouping_sizes sizes_of(grouping_view<Index, Offset> const& g) {
  return {g.num_rows,     g.num_neighbors, static_cast<std::int64_t>(g.num_edges),
          sizeof(Offset), sizeof(Index),   g.edge_ids ? static_cast<int>(sizeof(Offset)) : 0};
}

/// A traversal without what it reads and writes.
inline traversal_cost cost_of_edges(char const* name, grouping_sizes const& g, bool reads_neighbors, bool reads_ids) {
  traversal_cost cost;
  cost.name = name;
  cost.rows = g.rows;
  cost.neighbors = g.neighbors;
  cost.edges = g.edges;
  cost.index_bytes =
      static_cast<double>(g.rows + 1) * g.offset_bytes +
      static_cast<double>(g.edges) * ((reads_neighbors ? g.index_bytes : 0) + (reads_ids ? g.edge_id_bytes : 0));
  return cost;
}

/// A traversal and the operands that it reads. Table: its bound leaves; Needed: those that edges need; AtRows: those
/// that rows need besides. reads_ids: edge ids are needed, whatever is read.
template <class Table, class Needed, class AtRows, role Fixed, class Bindings>
traversal_cost cost_of_reading(char const* name, grouping_sizes const& g, bool reads_ids, row_extents extents) {
  using tables = pass_tables<Table, Needed, Fixed>;
  using others = filter_types<is_operand_bound, typename tables::needed_others>;
  using at_rows = bound_subset<unique_types<concat_types<Needed, AtRows>>, typename tables::fixed_table>;
  using rows = bound_in_role<Fixed, at_rows>;
  constexpr bool reads_types = tables::needed_relations::size > 0;
  traversal_cost cost =
      cost_of_edges(name, g, others::size > 0, reads_ids || tables::needed_edges::size > 0 || reads_types);
  // A type for each edge, and a second end where rows are types. Rows of types are few, and counted once.
  if (reads_types || tables::needed_far::size > 0) cost.index_bytes += static_cast<double>(g.edges) * g.index_bytes;
  cost.row_bytes = bytes_of_row(rows{}, extents);
  cost.edge_bytes = bytes_of_row(typename tables::needed_edges{}, extents);
  cost.gathered_bytes = bytes_of_row(others{}, extents);
  cost.parameter_bytes = bytes_of_row(bound_in_role<role::parameter, at_rows>{}, extents);
  cost.shared_bytes = bytes_of_row(filter_types<shares_tensor_with<others, Bindings>::template test, rows>{}, extents);
  return cost;
}

}  // namespace edgewise::inline v0::detail
