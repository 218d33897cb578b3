// A sparse matrix in the context's memory, as a bipartite graph from its columns to its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/random.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

#include "models/grouping_copy.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {

/// How the products of a sparse matrix are made: by its elements, by a dense copy of it, or by what is faster where the
/// context says from which share of elements on that is the copy.
enum class product_kind { automatic, sparse, dense };

namespace detail {

/// The first row with two elements in one column, or -1.
inline std::int64_t first_row_with_repeats(csr_view<> const& by_row) {
  std::vector<std::int64_t> last_row(static_cast<std::size_t>(by_row.num_neighbors), -1);
  for (std::int64_t row = 0; row < by_row.num_rows; ++row) {
    for (auto k = by_row.offsets[row]; k < by_row.offsets[row + 1]; ++k) {
      auto& last = last_row[static_cast<std::size_t>(by_row.neighbors[k])];
      if (last == row) return row;
      last = row;
    }
  }
  return -1;
}

}  // namespace detail

/// Owns a copy of a matrix [rows, cols] of which only the elements that are not 0 are stored.
template <class T, class Context>
class sparse_matrix {
public:
  /// The matrix with `values[k]` in row r and column `by_row.neighbors[k]` for the positions k of row r; `by_row` is
  /// without edge ids. Elements of one row and column are added. A rank of several has some rows of a matrix:
  /// `numbers[k]` says at which position its element k is there, so that dropouts know it by that one. Copies all and
  /// synchronises. Throws `invalid_argument` where a rank does not number each element.
  sparse_matrix(Context const& context, csr_view<> const& by_row, T const* values,
                product_kind products = product_kind::automatic, std::span<std::int64_t const> numbers = {})
      : by_row_(context, by_row),
        by_column_(context, to_csc(cpu{}, by_row).view()),
        products_(products),
        repeats_in_row_(detail::first_row_with_repeats(by_row)) {
    values_ = context.template make_buffer<T>(by_row.num_edges);
    context.upload(values, by_row.num_edges, values_.data());
    if constexpr (Context::is_ranked) {
      if (static_cast<std::int64_t>(numbers.size()) != by_row.num_edges) {
        throw invalid_argument(edgewise::detail::text("sparse_matrix: ", numbers.size(), " of ", by_row.num_edges,
                                                      " elements have a number in the whole matrix"));
      }
      numbers_ = uploaded(context, numbers);
    }
    context.synchronize();
  }

  std::int64_t rows() const { return by_row_.view().num_rows; }
  std::int64_t cols() const { return by_row_.view().num_neighbors; }

  /// An edge from the column to the row of each element.
  graph<csr_view<>, csc_view<>> view() const { return {by_row_.view(), by_column_.view()}; }
  product_kind products() const { return products_; }
  /// The first row with two elements in one column, or -1.
  std::int64_t repeats_in_row() const { return repeats_in_row_; }

  /// Of each edge.
  auto values() const { return per_row(values_.data(), by_row_.view().num_edges); }
  /// By which dropouts know them, [E]; null where that is the element's position.
  std::int64_t const* numbers() const { return Context::is_ranked ? numbers_.data() : nullptr; }
  /// What a dropout of elements draws, nothing where `state` is null.
  auto random_numbers(random_state const* state) const {
    auto const drawn = state == nullptr ? no_dropout() : edgewise::random_numbers(state, 0);
    if constexpr (Context::is_ranked) {
      return renumbered_random_view{drawn, numbers_.data(), nullptr};
    } else {
      return drawn;
    }
  }

private:
  grouping_copy<Context, csr_view<>> by_row_;
  grouping_copy<Context, csc_view<>> by_column_;
  buffer<T, typename Context::space> values_;
  buffer<std::int64_t, typename Context::space> numbers_;  // of a rank of several
  product_kind products_;
  std::int64_t repeats_in_row_;
};

}  // namespace edgewise::models
