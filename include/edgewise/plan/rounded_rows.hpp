// Rows of destinations that backward prepares in float, once more as tiles multiply them: where each edge's copy were
// converted, that would take longer than the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/tile_program.hpp>

namespace edgewise::inline v0::detail {

/// Does the backward pass of a plan prepare rows that tiles multiply in 16 bits? Traits: the program's.
template <class Exec, class Mapping, class Traits, class Table>
consteval bool prepares_rounded_rows() {
  using program = typename Traits::program_type;
  if constexpr (!is_tile_split<split_of<Mapping>> || !requires { engine<Exec>::has_tensor_cores; }) {
    return false;
  } else if constexpr (storage_over_tiles<program, Table>() != tiled_storage::bits16) {
    return false;
  } else {
    using field = typename tile_gradient_field<typename Traits::template aggregation<0>>::type;
    return !std::is_same_v<field, gradient_field> || !Traits::identity_epilogue;
  }
}

/// Takes no memory and does nothing where no such rows are prepared.
template <class Exec, class Mapping, class Traits, class Table>
class rounded_rows {
public:
  using table = type_list<>;

  void allocate(Exec const&, std::size_t, row_extents) {}
  std::size_t size_bytes() const { return 0; }
  char const* explain() const { return ""; }
  template <class Pointers>
  void fill(Pointers&, row_extents) const {}
  void round(Exec const&, typename Traits::accumulator*, std::size_t, row_extents) const {}
};

template <class Exec, class Mapping, class Traits, class Table>
requires(prepares_rounded_rows<Exec, Mapping, Traits, Table>()) class rounded_rows<Exec, Mapping, Traits, Table> {
  using program = typename Traits::program_type;
  using storage = typename tile_row<program, Table>::storage;
  static constexpr operand_kind kind = Traits::template aggregation_kind<0>;
  using bound = bound_leaf<leaf<role::destination, aggregation_field<0, rounded_field>>, kind, storage const>;

public:
  /// What passes read besides their other operands.
  using table = type_list<bound>;

  void allocate(Exec const& exec, std::size_t rows, row_extents extents) {
    memory_ = scratch<storage, typename Exec::space>(
        exec, static_cast<std::size_t>(size_of_array(rows, elements_of_kind(kind, extents))));
  }
  std::size_t size_bytes() const { return memory_.size_bytes(); }
  char const* explain() const {
    return memory_.size() > 0
               ? "backward over tiles: 1 more launch over vertices, which rounds what edges read of them\n"
               : "";
  }
  template <class Pointers>
  void fill(Pointers& pointers, row_extents extents) const {
    auto const row_bytes = elements_of_kind(kind, extents) * static_cast<std::int64_t>(sizeof(storage));
    pointers.template of<bound>() = {memory_.data(), static_cast<std::int32_t>(row_bytes)};
  }
  /// Rounds what the stage over vertices prepared; asynchronous. Does nothing where no memory was allocated.
  void round(Exec const& exec, typename Traits::accumulator* prepared, std::size_t rows, row_extents extents) const {
    if (memory_.size() == 0) return;
    using field = typename tile_gradient_field<typename Traits::template aggregation<0>>::type;
    constexpr int place = std::is_same_v<field, gradient_field> ? -1 : 0;
    engine<Exec>::round_rows(exec, Traits::template prepared_place<0>(prepared, rows, extents, place), memory_.data(),
                             static_cast<std::int64_t>(memory_.size()));
  }

private:
  scratch<storage, typename Exec::space> memory_;
};

}  // namespace edgewise::inline v0::detail
