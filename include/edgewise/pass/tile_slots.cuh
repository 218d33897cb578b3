// The slots of tiles: what a thread of a quad knows of its four slots in each of two rows, and expressions over them.
#pragma once

#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/format/wsb.hpp>
#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/program/tile_program.hpp>
#include <edgewise/register/score_geometry.hpp>

namespace edgewise::inline v0::detail {

/// Slots of one thread in one row of a tile: number b is column 8 (b / 2) + 2 q + b % 2, which is accumulator [b / 2][2
/// r + b % 2] of rows g (r = 0) and g + 8 (r = 1).
inline constexpr int thread_slots = 4;

EDGEWISE_HD constexpr int column_of_slot(int b, int q) { return 8 * (b / 2) + 2 * q + b % 2; }

/// Which slots of a thread in a row are edges.
struct slot_mask {
  std::uint32_t bits;  ///< of the row, from the thread's first column on

  EDGEWISE_HD static slot_mask of(std::uint32_t row_bits, int q) { return {row_bits >> (2 * q)}; }
  EDGEWISE_HD bool operator[](int b) const { return (bits >> (8 * (b / 2) + b % 2) & 1u) != 0; }
  EDGEWISE_HD bool has(int b) const { return (*this)[b]; }
};

/// What a lane knows of a tile before it takes it: the neighbor of column lane % 16, and the bits of rows g and g + 8.
template <class Index>
struct tile_words {
  Index column;
  std::uint32_t bits[2];
};

/// The operands that slots read, by what decides their row: Leaves among those of a pass whose rows are in role Fixed.
template <class Pass, role Fixed, class Leaves>
struct slot_tables {
  static constexpr role other = Fixed == role::destination ? role::source : role::destination;
  using tables = typename Pass::tables;
  using fixed = bound_subset<Leaves, typename tables::fixed_table>;
  using others = bound_subset<Leaves, bound_in_role<other, typename tables::varying_table>>;
  using edges = bound_subset<Leaves, bound_in_role<role::edge, typename tables::varying_table>>;
};

/// Numbers of the slots of a tile that are loaded ahead.
template <class Tables, class T, class Offset, bool HasIds>
struct slot_numbers {
  registers<score_geometry, T, thread_slots, typename Tables::others> others;
  registers<score_geometry, T, thread_slots, typename Tables::edges> edges[2];
  Offset ids[2][thread_slots];
};
template <class Tables, class T, class Offset>
struct slot_numbers<Tables, T, Offset, false> {
  registers<score_geometry, T, thread_slots, typename Tables::others> others;
};

/// Loads the numbers of a window's tiles, one after the other.
template <class Tables, class T, class Index, class Offset, bool HasIds>
struct slot_loader {
  using numbers = slot_numbers<Tables, T, Offset, HasIds>;
  Offset position[2];  ///< of the next edge of rows g and g + 8

  /// positions: of the 16 rows of a window; null where they are those of the rows.
  template <class Grouping>
  EDGEWISE_DEVICE void start(Grouping const& rows, Index const (&own)[2], Offset const* positions) {
    if constexpr (HasIds) {
      int const g = static_cast<int>(threadIdx.x % 32 / 4);
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) position[r] = positions ? positions[g + 8 * r] : rows.offsets[own[r]];
    }
  }
  template <class Operands, class Grouping>
  EDGEWISE_DEVICE void load(Operands const& operands, score_geometry const& geo, Grouping const& rows,
                            tile_words<Index> const& words, numbers& to) {
    int const q = static_cast<int>(threadIdx.x % 4);
    if constexpr (Tables::others::size > 0) {
      Index columns[thread_slots];
      EDGEWISE_UNROLL
      for (int b = 0; b < thread_slots; ++b) columns[b] = __shfl_sync(0xffffffffu, words.column, column_of_slot(b, q));
      load_leaves(typename Tables::others{}, geo, operands, columns, to.others);
    }
    if constexpr (HasIds) {
      EDGEWISE_UNROLL
      for (int r = 0; r < 2; ++r) {
        EDGEWISE_UNROLL
        for (int b = 0; b < thread_slots; ++b) {
          int const column = column_of_slot(b, q);
          std::uint32_t const before = words.bits[r] & ((1u << column) - 1u);
          bool const is_edge = (words.bits[r] >> column & 1u) != 0;
          Offset const at = position[r] + static_cast<Offset>(__popc(before));
          // A slot without an edge reads some edge, and nobody what it computes.
          Offset const place = is_edge ? at : (at < rows.num_edges ? at : rows.num_edges - 1);
          to.ids[r][b] = rows.edge_ids ? read_element(find_element(rows.edge_ids, place)) : place;
        }
        load_leaves(typename Tables::edges{}, geo, operands, to.ids[r], to.edges[r]);
        position[r] += static_cast<Offset>(__popc(words.bits[r]));
      }
    }
  }
};

/// Values that were made on chip, as leaves.
template <class Leaf, class T>
using made_bound = bound_leaf<Leaf, operand_kind::per_head, T const>;
template <class T, class... Leaf>
using made_registers = registers<score_geometry, T, thread_slots, type_list<made_bound<Leaf, T>...>>;

/// The slots of row r of a product as the value of a leaf.
template <class Leaf, class Registers>
EDGEWISE_DEVICE void take_slots(Registers& to, float const (&product)[2][4], int r) {
  EDGEWISE_UNROLL
  for (int b = 0; b < thread_slots; ++b) slot_value<Leaf>(to).at(b, 0, 0) = product[b / 2][2 * r + b % 2];
}

/// Calls f(env) with what slots read of row r: loaded, and `made` on chip.
template <class T, class Fixed, class Numbers, class Made, class F>
EDGEWISE_DEVICE void with_slots(score_geometry const& geo, Fixed const& fixed, Numbers const& numbers, Made const& made,
                                int r, F const& f) {
  bare_environment<score_geometry, T> const nothing{geo};
  auto const rows = extend(nothing, fixed);
  auto const columns = extend(rows, numbers.others);
  if constexpr (requires { numbers.edges; }) {
    auto const edges = extend(columns, numbers.edges[r]);
    f(extend(edges, made));
  } else {
    f(extend(columns, made));
  }
}

}  // namespace edgewise::inline v0::detail
