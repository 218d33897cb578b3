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
/// Numbers of edges and rows come from nowhere, or from a list that is bound with the random numbers.
template <operand_kind Kind>
struct operand_pointer<bound_leaf<edge_number, Kind, std::uint64_t const>> {};
template <operand_kind Kind>
struct operand_pointer<bound_leaf<row_number, Kind, std::uint64_t const>> {};
template <operand_kind Kind>
struct operand_pointer<bound_leaf<edge_number, Kind, std::int64_t const>> {
  std::int64_t const* numbers = nullptr;
};
template <operand_kind Kind>
struct operand_pointer<bound_leaf<row_number, Kind, std::int64_t const>> {
  std::int64_t const* numbers = nullptr;
};

template <class Name, operand_kind Kind, class T, class Geometry, class Row, class V, int Edges>
EDGEWISE_HD void load_rows(Geometry const&, operand_pointer<bound_leaf<random_leaf<Name>, Kind, T>> const& from,
                           Row const (&)[Edges], V& to) {
  to.at(0, 0, 0) = {0, {0, 0}, false};
  if (from.stream == no_stream) return;
  to.at(0, 0, 0) = make_mask_key(
      {read_element(&from.data->seed), static_cast<std::uint32_t>(read_element(&from.data->step)), from.stream});
}

/// Numbers are never negative; said so, the upper half of a 32-bit number is known to be 0.
template <class Leaf, operand_kind Kind, class T, class Geometry, class Row, class V, int Edges>
requires is_number_leaf<Leaf> EDGEWISE_HD void load_rows(Geometry const&,
                                                         operand_pointer<bound_leaf<Leaf, Kind, T>> const& from,
                                                         Row const (&rows)[Edges], V& to) {
  EDGEWISE_UNROLL
  for (int b = 0; b < Edges; ++b) {
    if constexpr (requires { from.numbers; }) {
      to.at(b, 0, 0) = static_cast<std::uint64_t>(read_element(from.numbers + rows[b]));
    } else {
      to.at(b, 0, 0) = static_cast<std::make_unsigned_t<Row>>(rows[b]);
    }
  }
}

}  // namespace edgewise::inline v0::detail
