// "Loads" of what is not an operand: the key of masks from a random state, and the number of a row or edge from itself.
#pragma once

#include <edgewise/pass/load_store.hpp>

namespace edgewise::inline v0::detail {

/// Where the key of a mask comes from.
template <class Name, operand_kind Kind, class T>
struct operand_pointer<bound_leaf<random_leaf<Name>, Kind, T>> {
  random_state const* data = nullptr;
  std::uint32_t stream = 0;
};
/// Numbers of edges and rows come from nowhere.
template <operand_kind Kind, class T>
struct operand_pointer<bound_leaf<edge_number, Kind, T>> {};
template <operand_kind Kind, class T>
struct operand_pointer<bound_leaf<row_number, Kind, T>> {};

template <class Name, operand_kind Kind, class T, class Geometry, class Row, class V, int Edges>
EDGEWISE_HD void load_rows(Geometry const&, operand_pointer<bound_leaf<random_leaf<Name>, Kind, T>> const& from,
                           Row const (&)[Edges], V& to) {
  to.at(0, 0, 0) = {0, {0, 0}, false};
  if (from.stream == no_stream) return;
  to.at(0, 0, 0) = make_mask_key(
      {read_element(&from.data->seed), static_cast<std::uint32_t>(read_element(&from.data->step)), from.stream});
}

/// Numbers are never negative; said so, the upper half of a 32-bit number is known to be 0.
template <class Row, class V, int Edges>
EDGEWISE_HD void load_numbers(Row const (&rows)[Edges], V& to) {
  EDGEWISE_UNROLL
  for (int b = 0; b < Edges; ++b) to.at(b, 0, 0) = static_cast<std::make_unsigned_t<Row>>(rows[b]);
}
template <operand_kind Kind, class T, class Geometry, class Row, class V, int Edges>
EDGEWISE_HD void load_rows(Geometry const&, operand_pointer<bound_leaf<edge_number, Kind, T>> const&,
                           Row const (&rows)[Edges], V& to) {
  load_numbers(rows, to);
}
template <operand_kind Kind, class T, class Geometry, class Row, class V, int Edges>
EDGEWISE_HD void load_rows(Geometry const&, operand_pointer<bound_leaf<row_number, Kind, T>> const&,
                           Row const (&rows)[Edges], V& to) {
  load_numbers(rows, to);
}

}  // namespace edgewise::inline v0::detail
