// A sparse matrix in the context's memory, as a bipartite graph from its columns to its rows.
#pragma once

#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

#include "models/grouping_copy.hpp"

namespace edgewise::models {

/// Owns a copy of a matrix [rows, cols] of which only the elements that are not 0 are stored.
template <class T, class Context>
class sparse_matrix {
public:
  /// The matrix with `values[k]` in row r and column `by_row.neighbors[k]` for the positions k of row r; `by_row` is
  /// without edge ids. Copies both and synchronises.
  sparse_matrix(Context const& context, csr_view<> const& by_row, T const* values)
      : by_row_(context, by_row), by_column_(context, to_csc(cpu{}, by_row).view()) {
    values_ = context.template make_buffer<T>(by_row.num_edges);
    context.upload(values, by_row.num_edges, values_.data());
    context.synchronize();
  }

  std::int64_t rows() const { return by_row_.view().num_rows; }
  std::int64_t cols() const { return by_row_.view().num_neighbors; }

  /// An edge from the column to the row of each element.
  graph<csr_view<>, csc_view<>> view() const { return {by_row_.view(), by_column_.view()}; }
  /// Of each edge.
  auto values() const { return per_row(values_.data(), by_row_.view().num_edges); }

private:
  grouping_copy<Context, csr_view<>> by_row_;
  grouping_copy<Context, csc_view<>> by_column_;
  buffer<T, typename Context::space> values_;
};

}  // namespace edgewise::models
